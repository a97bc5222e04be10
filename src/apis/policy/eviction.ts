import { badRequest } from '../../errors/catalogue.ts';
import type { Status } from '../../errors/status.ts';
import type { Action, ActionRequest, ApiObject } from '../../kind/definition.ts';
import { DeleteOptions } from '../../kind/meta/delete-options.ts';
import { kind } from '../../kind/meta/kind.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { timestamp } from '../../kind/time.ts';
import { existing, type Target } from '../../registry/api.ts';
import {
  type DeleteOptions as Deletion,
  settleDeleteOptions,
} from '../../registry/options/delete-options.ts';
import { settleNamespace } from '../../registry/verbs/create.ts';
import { checkPreconditions, deleteObject } from '../../registry/verbs/delete.ts';
import { guaranteedUpdate } from '../../registry/verbs/guaranteed-update.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import type { Pod } from '../core/pod.ts';
import { setCondition } from '../core/pod-conditions.ts';
import { spendBudget } from './disruption.ts';

export const Eviction = kind(
  'policy/v1.Eviction',
  { deleteOptions: field(2, optional(DeleteOptions), { doc: 'How the pod is to be deleted.' }) },
  {
    doc: 'Asks for a pod, which goes by the same name, to be deleted, unless too few of its like would be left.',
  },
);
export type Eviction = Infer<typeof Eviction>;

/** Eviction as a part of a pod. */
export const evictionAction: Action = {
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  schema: Eviction,
  async perform(request, object) {
    const { target, api, options } = request;
    const eviction = object as Eviction;
    if ((eviction.metadata.name ?? '') !== target.name) {
      throw badRequest('name in URL does not match name in Eviction object');
    }
    settleNamespace(target, object);
    const { dryRun = [], ...asked } = eviction.deleteOptions ?? {};
    const deletion = settleDeleteOptions(
      { ...asked, dryRun: options.dryRun && dryRun.length === 0 ? ['All'] : dryRun },
      api.metaGroup,
    );
    return evict(request, deletion);
  },
};

async function evict({ api, target }: ActionRequest, deletion: Deletion): Promise<Status> {
  const { stored } = target.resource;
  const pod = decodeStored(stored, existing(api, target)) as Pod;
  if (!isLost(pod)) await spendBudget(api, pod, deletion.dryRun);
  if (deletion.dryRun) checkPreconditions(target, pod, deletion);
  else await sayWhy(api, target, deletion);
  await deleteObject(api, target, deletion);
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** Nobody counts on it any more, or not yet. */
function isLost({ metadata, status }: Pod): boolean {
  return (
    metadata.deletionTimestamp !== undefined ||
    ['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '')
  );
}

/** Leaves a condition on the pod, before it goes. */
async function sayWhy(api: ActionRequest['api'], target: Target, deletion: Deletion): Promise<void> {
  const now = timestamp(api.clock);
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  await guaranteedUpdate(api, target, (object: ApiObject) => {
    checkPreconditions(target, object, deletion);
    setCondition((object as Pod).status, condition, now);
  });
}
