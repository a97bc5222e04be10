// CustomResourceDefinition finalizer: deletes all custom resources of a definition that is being deleted.
import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import { type Clock, timestamp } from '../../base/clock.ts';
import type { Client } from '../../client/client.ts';
import type { Lister } from '../../client/lister.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import { ApiError } from '../../errors/status.ts';
import { setCondition } from '../../kind/meta/set-condition.ts';

import type { StatusPatcher } from '../runtime/status-patcher.ts';

/** `waiting`: custom resources are being deleted. `failed`: some cannot be deleted now. */
export type FinalizerResult = 'done' | 'waiting' | 'failed';

/** After this time a change is visible to all servers that can write. */
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
export async function deleteCustomResources(
  context: FinalizerContext,
  { metadata, status }: CustomResourceDefinition,
  customResources: Lister<unknown> | undefined,
): Promise<FinalizerResult> {
  const { client, definitions, clock } = context;
  const { name = '', finalizers } = metadata;
  const finalizer = context.dialect.finalizers.customResources;
  if (!finalizers?.includes(finalizer)) return 'done';
  if (!hasFailed(status)) await setTerminating(context, name, inProgress);
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
    await setTerminating(context, name, { reason: failed, message });
    return 'failed';
  }
  await client.removeFinalizer(definitions, name, finalizer);
  return 'done';
}

const failed = 'InstanceDeletionFailed';
const inProgress = {
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

const hasFailed = ({ conditions = [] }: CustomResourceDefinition['status']) =>
  conditions.some(({ reason }) => reason === failed);

/** Sets the condition Terminating. */
async function setTerminating(
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
