// The scale target of an autoscaler: an object of any kind that has the scale subresource.
import type { CrossVersionObjectReference } from '../../apis/autoscaling/metric-source.ts';
import type { Scale } from '../../apis/autoscaling/scale.ts';
import type { Lister } from '../../client/lister.ts';
import { ApiError } from '../../errors/status.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import { compareVersions } from '../../kind/version-priority.ts';
import type { ControllerContext } from '../runtime/controller.ts';

export interface ScaleTarget {
  readonly lister: Lister<unknown>;
  readonly scale: Scale;
}

/** The reference names no kind. The message is part of the API. */
export class UnknownScaleTarget extends Error {}

/** How often an update is tried on a scale that changes concurrently. */
const maxUpdates = 5;

/** Throws UnknownScaleTarget, or ApiError if the object does not exist or cannot be scaled. */
export async function readScaleTarget(
  { client, informers, kinds }: ControllerContext,
  namespace: string,
  { apiVersion = '', kind, name }: CrossVersionObjectReference,
): Promise<ScaleTarget> {
  if (apiVersion.split('/').length > 2)
    throw new UnknownScaleTarget(`unexpected GroupVersion string: ${apiVersion}`);
  const resource = findKind(kinds, apiVersion, kind);
  if (!resource) {
    const [quotedKind, quotedGroup] = [kind, groupOf(apiVersion)].map((text) => JSON.stringify(text));
    throw new UnknownScaleTarget(`no matches for kind ${quotedKind} in group ${quotedGroup}`);
  }
  const lister = informers.listerOf<unknown>(resource);
  return { lister, scale: await client.getScale(lister, namespace, name) };
}

/** Sets the replicas of a scale. Throws ApiError. */
export async function updateScale(
  { client, identity }: ControllerContext,
  { lister, scale }: ScaleTarget,
  replicas: number,
): Promise<void> {
  let current = scale;
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.updateScale(lister, { ...current, spec: { ...current.spec, replicas } }, identity);
    } catch (error) {
      const isConflict = error instanceof ApiError && error.reason === 'Conflict';
      if (!isConflict || attempt === maxUpdates) throw error;
      const { name = '', namespace = '' } = scale.metadata;
      current = await client.getScale(lister, namespace, name);
    }
  }
}

/** A kind of a group in the version of the reference, else in the preferred version; undefined if it is not served. */
export function findKind(kinds: Registry, apiVersion: string, kind: string): ServedResource | undefined {
  const referenced = kinds.ofVersion(apiVersion).find((resource) => resource.kind === kind);
  if (referenced) return referenced;
  const group = groupOf(apiVersion);
  const versions = kinds.resources.filter((resource) => resource.group === group && resource.kind === kind);
  return versions.sort((one, other) => compareVersions(one.version, other.version))[0];
}

/** The group of `group/version`; '' for `version` alone. */
export const groupOf = (apiVersion: string) =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
