// Graceful deletion: deletionTimestamp and deletionGracePeriodSeconds of kinds such as Pod.

import { addSeconds, timestamp } from '../../base/clock.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Draft, StoredObject } from '../../store/store.ts';
import type { Target } from '../target.ts';
import type { VerbContext } from '../verb-context.ts';
import { commitDelete, commitUpdate } from '../write/commit.ts';

export interface GracefulDeletion {
  /** gracePeriodSeconds of the request. */
  readonly requested: number | undefined;
  /** The finalizers of the object once it is marked. */
  readonly finalizers: string[];
  readonly dryRun: boolean;
  /** Encodes the stored object with changed metadata. */
  encode(change: (object: Pick<ApiObject, 'metadata'>) => void): Draft | Promise<Draft>;
}

export interface GracefulDeleteResult {
  /** The last state of the object, or the state marked for deletion. */
  readonly object: StoredObject;
  /** False: the object is marked for deletion, and its grace period or finalizers hold it. */
  readonly gone: boolean;
}

/**
 * Sets or shortens the grace period. Deletes the object if that is 0 and no finalizer is left. `object` lacks long fields.
 */
export async function deleteGracefully(
  api: VerbContext,
  target: Target,
  stored: StoredObject,
  object: ApiObject,
  { requested, finalizers, dryRun, encode }: GracefulDeletion,
): Promise<GracefulDeleteResult> {
  const { stored: resource } = target.resource;
  const finalizersChange = finalizers.join('\0') !== (object.metadata.finalizers ?? []).join('\0');
  const marking = setOrShortenGracePeriod(api, target, object, requested);
  if (marking === 'pending') return { object: await api.store.reader.confirm(stored), gone: false };
  let latest = stored;
  if (marking === 'marked' || finalizersChange) {
    const { deletionTimestamp, deletionGracePeriodSeconds, generation } = object.metadata;
    const draft = await encode(({ metadata }) => {
      Object.assign(metadata, { deletionTimestamp, deletionGracePeriodSeconds });
      if (generation !== undefined) metadata.generation = generation;
      if (finalizers.length > 0) metadata.finalizers = finalizers;
      else delete metadata.finalizers;
    });
    latest = await commitUpdate(api, resource, stored, draft, { dryRun, isTerminating: true });
  }
  const gone = finalizers.length === 0 && !object.metadata.deletionGracePeriodSeconds;
  if (!gone || dryRun) return { object: latest, gone };
  // Watchers see the shortened grace period as MODIFIED before DELETED.
  return { object: await commitDelete(api, resource, latest, object), gone: true };
}

/**
 * Sets deletionTimestamp and deletionGracePeriodSeconds, or shortens those of an earlier deletion ('marked').
 * 'pending': the earlier grace period stays. 'over': the earlier grace period is already 0.
 */
function setOrShortenGracePeriod(
  api: VerbContext,
  target: Target,
  object: ApiObject,
  requested: number | undefined,
): 'marked' | 'pending' | 'over' {
  const { metadata } = object;
  // A negative grace period counts as one second.
  const graceSeconds = requested !== undefined && requested < 0 ? 1 : requested;
  if (metadata.deletionTimestamp === undefined) {
    const period = target.resource.definition.strategy.gracefulDelete?.(object, graceSeconds) ?? 0;
    metadata.deletionTimestamp = addSeconds(timestamp(api.clock), period);
    metadata.deletionGracePeriodSeconds = period;
    if (metadata.generation) metadata.generation++;
    return 'marked';
  }
  const oldGraceSeconds = metadata.deletionGracePeriodSeconds ?? 0;
  if (oldGraceSeconds === 0) return 'over';
  if (graceSeconds === undefined || graceSeconds >= oldGraceSeconds) return 'pending';
  metadata.deletionTimestamp = addSeconds(metadata.deletionTimestamp, graceSeconds - oldGraceSeconds);
  metadata.deletionGracePeriodSeconds = graceSeconds;
  return 'marked';
}
