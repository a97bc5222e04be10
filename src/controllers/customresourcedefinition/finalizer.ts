// CustomResourceDefinition finalizer: deletes all custom resources of a definition that is being deleted.
import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import { timestamp } from '../../base/clock.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import { ApiError } from '../../errors/status.ts';
import { setCondition } from '../../kind/meta/set-condition.ts';
import { decodeLazily, decodeStored } from '../../kind/storage/codec.ts';
import { storedMetadata } from '../../kind/storage/stored-metadata.ts';
import { type Api, existing } from '../../registry/api.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import type { Target } from '../../registry/target.ts';
import { deleteAll } from '../../registry/verbs/delete-all.ts';
import { update } from '../../registry/verbs/update.ts';
import { PreconditionFailed } from '../../store/store.ts';
import type { WriteExecutor } from '../../workers/write-executor.ts';
import { patchStatus } from './patch-status.ts';

export type Removal = 'done' | 'waiting' | 'failed';

/** After this time in milliseconds a change is visible to all servers that can write. */
const heardWithin = 1_000;

export interface Removing {
  readonly api: Api;
  readonly writing: WriteExecutor;
}

/** Deletes the custom resources, then removes the finalizer from the definition. */
export async function deleteCustomResources(
  removing: Removing,
  target: Target,
  { metadata, spec, status }: CustomResourceDefinition,
): Promise<Removal> {
  const { api } = removing;
  const finalizer = api.dialect.finalizers.customResources;
  if (!metadata.finalizers?.includes(finalizer)) return 'done';
  if (!hasFailed(status)) await say(removing, target, inProgress);
  const prefix = `${spec.group}/${spec.names.plural}`;
  const storage = spec.versions?.find((version) => version.storage);
  const resource = storage && api.registry.ofPrefix(prefix, storage.name);
  try {
    if (resource && !(await deleteAll(api, resource))) return 'waiting';
    if (resource && api.store.isShared) {
      // Another server may have accepted an instance before it received the deletion of the definition.
      await new Promise<void>((resolve) => api.clock.after(heardWithin, resolve));
      await api.store.head();
      if (!(await deleteAll(api, resource))) return 'waiting';
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message } = error;
    await say(removing, target, { reason: failed, message: `could not issue all deletes: ${message}` });
    return 'failed';
  }
  await ignoreNotFound(letGo(api, { ...target, subresource: '' }, finalizer));
  return 'done';
}

async function letGo(api: Api, target: Target, finalizer: string): Promise<void> {
  const without = (finalizers: readonly string[] = []) => finalizers.filter((name) => name !== finalizer);
  const stored = existing(api, target);
  if (without(storedMetadata(stored)?.finalizers).length === 0) {
    const { key, revision } = stored;
    try {
      await api.store.commit({ prefix: target.resource.prefix, key, expect: revision, draft: null });
      return;
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
      return letGo(api, target, finalizer);
    }
  }
  const read = () => {
    const object = decodeStored(target.resource, existing(api, target));
    object.metadata.finalizers = without(object.metadata.finalizers);
    return { object };
  };
  await update(api, target, read, plainWrite, []);
}

const failed = 'InstanceDeletionFailed';
const inProgress = {
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

const hasFailed = ({ conditions = [] }: CustomResourceDefinition['status']) =>
  conditions.some(({ reason }) => reason === failed);

async function say(
  { api, writing }: Removing,
  target: Target,
  why: { readonly reason: string; readonly message: string },
): Promise<void> {
  const stored = existing(api, target);
  const { conditions = [] } = (decodeLazily(target.resource, stored) as CustomResourceDefinition).status;
  setCondition(conditions, { type: 'Terminating', status: 'True', ...why }, timestamp(api.clock));
  await ignoreNotFound(patchStatus(writing, target, stored.revision, 'conditions', conditions));
}
