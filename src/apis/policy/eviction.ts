// Eviction: the eviction subresource of Pods, which deletes a pod unless its PodDisruptionBudget forbids it.

import { timestamp } from '../../base/clock.ts';
import { badRequest, notFound } from '../../errors/catalogue.ts';
import type { WireStatus } from '../../errors/status.ts';
import type { Action, ActionRequest } from '../../kind/definition.ts';
import {
  type ValidatedDeleteOptions as Deletion,
  validatedDeleteOptions,
} from '../../kind/delete-options.ts';
import { DeleteOptions } from '../../kind/meta/delete-options.ts';
import { kind } from '../../kind/meta/kind.ts';
import { ensureNamespaceMatches } from '../../kind/meta/validation.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import type { Pod } from '../core/pod.ts';
import { setCondition } from '../core/pod-conditions.ts';
import { consumeDisruption } from './disruption.ts';

export const Eviction = kind(
  'policy/v1.Eviction',
  { deleteOptions: field(2, optional(DeleteOptions), { doc: 'The options of the deletion.' }) },
  {
    doc: 'Evicts the pod of the same name, subject to its PodDisruptionBudget.',
  },
);
export type Eviction = Infer<typeof Eviction>;

/** `pods/{name}/eviction`: deletes the pod if its PodDisruptionBudget allows it. */
export const evictionAction: Action = {
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  schema: Eviction,
  async perform(request, object) {
    const { target, metaGroup } = request;
    const eviction = object as Eviction;
    if ((eviction.metadata.name ?? '') !== target.name) {
      throw badRequest('name in URL does not match name in Eviction object');
    }
    ensureNamespaceMatches(target, object);
    const { dryRun: requestedDryRun = [], ...options } = eviction.deleteOptions ?? {};
    // The query parameter dryRun applies to the deletion too, unless deleteOptions have their own.
    const dryRun = request.dryRun && requestedDryRun.length === 0 ? ['All'] : requestedDryRun;
    const deletion = validatedDeleteOptions({ ...options, dryRun }, metaGroup);
    return evict(request, deletion);
  },
};

async function evict(request: ActionRequest, deletion: Deletion): Promise<WireStatus> {
  const { objects, target } = request;
  const pod = objects.get(target) as Pod | undefined;
  if (!pod) throw notFound(target.subject, target.name);
  if (!isOutsideBudget(pod)) await consumeDisruption(request, pod, deletion);
  if (!deletion.dryRun) await addDisruptionTarget(request, deletion);
  await objects.delete(target, deletion);
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** A budget does not count pods that are terminated, pending or being deleted. */
function isOutsideBudget({ metadata, status }: Pod): boolean {
  return (
    metadata.deletionTimestamp !== undefined ||
    ['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '')
  );
}

/** Sets the pod's condition DisruptionTarget before the pod is deleted. */
async function addDisruptionTarget(
  { objects, target, clock }: ActionRequest,
  { preconditions }: Deletion,
): Promise<void> {
  const now = timestamp(clock);
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  await objects.guaranteedUpdate(target, (object) => setCondition((object as Pod).status, condition, now), {
    preconditions,
  });
}
