// CustomResourceDefinition finalizer: deletes all custom resources of a definition that is being deleted. All writes go
// through the client and the status patcher, as requests do.
import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import { type Clock, timestamp } from '../../base/clock.ts';
import type { Client } from '../../client/client.ts';
import type { Lister } from '../../client/lister.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import { ApiError } from '../../errors/status.ts';
import { setCondition } from '../../kind/meta/set-condition.ts';

import type { StatusPatcher } from '../runtime/status-patcher.ts';

/**
 * - `done`: the definition has no finalizer any more.
 * - `waiting`: custom resources are being deleted, but their finalizers hold some of them.
 * - `failed`: some custom resources cannot be deleted now; the caller retries later.
 */
export type FinalizerResult = 'done' | 'waiting' | 'failed';

/** After this time the deletion of the definition is visible to all servers that can write. */
const propagationMs = 1_000;

export interface FinalizerContext {
  readonly client: Client;
  readonly definitions: Lister<CustomResourceDefinition>;
  readonly statusPatcher: StatusPatcher;
  readonly dialect: Dialect;
  readonly clock: Clock;
  /** Whether other servers write to the same storage. */
  readonly isShared: boolean;
}

/**
 * Deletes the custom resources, then removes the finalizer from the definition. `customResources` is undefined if the kind
 * was never served.
 */
export async function finalizeDefinition(
  context: FinalizerContext,
  { metadata, status }: CustomResourceDefinition,
  customResources: Lister<unknown> | undefined,
): Promise<FinalizerResult> {
  const { client, definitions, clock } = context;
  const { name = '', finalizers } = metadata;
  const finalizer = context.dialect.finalizers.customResources;
  if (!finalizers?.includes(finalizer)) return 'done';
  if (!hasFailed(status)) await setTerminatingCondition(context, name, deletionInProgress);
  try {
    if (customResources && !(await client.deleteCollection(customResources, ''))) return 'waiting';
    if (customResources && context.isShared) {
      // Another server may have accepted an instance before it received the deletion of the definition.
      await new Promise<void>((resolve) => clock.after(propagationMs, resolve));
      await customResources.waitForLatest();
      if (!(await client.deleteCollection(customResources, ''))) return 'waiting';
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = `could not issue all deletes: ${error.message}`;
    await setTerminatingCondition(context, name, { reason: deletionFailedReason, message });
    return 'failed';
  }
  await client.removeFinalizer(definitions, name, finalizer);
  return 'done';
}

const deletionFailedReason = 'InstanceDeletionFailed';
const deletionInProgress = {
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

/** Whether an earlier run failed: its message stays until the deletion succeeds. */
const hasFailed = ({ conditions = [] }: CustomResourceDefinition['status']) =>
  conditions.some(({ reason }) => reason === deletionFailedReason);

async function setTerminatingCondition(
  { definitions, statusPatcher, clock }: FinalizerContext,
  name: string,
  cause: { readonly reason: string; readonly message: string },
): Promise<void> {
  const definition = definitions.get('', name);
  if (!definition) return;
  const { conditions = [] } = definition.decodeLazily().status;
  setCondition(conditions, { type: 'Terminating', status: 'True', ...cause }, timestamp(clock));
  const { resourceVersion } = definition;
  await ignoreNotFound(statusPatcher.patch(definitions, name, resourceVersion, 'conditions', conditions));
}
