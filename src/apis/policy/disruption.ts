import { userKeyed } from '../../codec/json/json-value.ts';
import { forbidden } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/definition.ts';
import { selects } from '../../kind/meta/label-selector-match.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { timestamp } from '../../kind/time.ts';
import type { Api, Target } from '../../registry/api.ts';
import { guaranteedUpdate } from '../../registry/verbs/guaranteed-update.ts';
import type { Pod } from '../core/pod.ts';
import { isReady } from '../core/pod-conditions.ts';
import type { PodDisruptionBudget } from './poddisruptionbudget.ts';

/** Takes one disruption from the budget that covers a pod. Throws where there is none to be had. */
export async function spendBudget(api: Api, pod: Pod, dryRun: boolean): Promise<void> {
  const resource = api.registry.kind('policy', 'v1', 'poddisruptionbudgets');
  const namespace = pod.metadata.namespace ?? '';
  const budgets = budgetsOf(api, pod);
  if (budgets.length > 1) {
    throw new ApiError(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const [budget] = budgets;
  if (!budget || isWorthless(pod, budget)) return;
  const target: Target = { resource, namespace, name: budget.metadata.name ?? '', subresource: '' };
  const now = timestamp(api.clock);
  await guaranteedUpdate(
    api,
    target,
    (object: ApiObject) => spend(object as PodDisruptionBudget, pod.metadata.name ?? '', now),
    { dryRun, managedThrough: 'status' },
  );
}

function budgetsOf(api: Api, { metadata }: Pod): PodDisruptionBudget[] {
  const resource = api.registry.kind('policy', 'v1', 'poddisruptionbudgets');
  const view = api.store.pin();
  try {
    const all = [...view.range(resource.range(metadata.namespace ?? ''))];
    return all
      .map((stored) => decodeStored(resource.stored, stored) as PodDisruptionBudget)
      .filter(({ spec }) => spec.selector && selects(spec.selector, metadata.labels));
  } finally {
    view.release();
  }
}

/** A pod that is not ready does not count, so that it may go while enough others do. */
function isWorthless(pod: Pod, { spec, status }: PodDisruptionBudget): boolean {
  if (isReady(pod.status)) return false;
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0;
}

/** More evictions than this that nobody has confirmed are a sign that nobody does. */
const mostUnconfirmed = 2000;
const retryAfterSeconds = 10;

function spend({ metadata, status }: PodDisruptionBudget, podName: string, now: string): void {
  const name = metadata.name ?? '';
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    const why = `The disruption budget ${name} is still being processed by the server.`;
    throw budgetRefusal(why, retryAfterSeconds);
  }
  const disrupted = status.disruptedPods ?? userKeyed<string>();
  const subject = { group: 'policy', resource: 'poddisruptionbudget' };
  if (status.disruptionsAllowed < 0) {
    throw forbidden(subject, name, 'pdb disruptions allowed is negative');
  }
  if (Object.keys(disrupted).length > mostUnconfirmed) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(subject, name, why);
  }
  if (status.disruptionsAllowed === 0) throw budgetRefusal(whyNone(name, status));
  status.disruptionsAllowed--;
  if (status.disruptionsAllowed === 0) {
    sayWhetherAllowed(status, 'InsufficientPods', { generation: metadata.generation ?? 0, now });
  }
  disrupted[podName] = now;
  status.disruptedPods = disrupted;
}

function whyNone(name: string, status: PodDisruptionBudget['status']): string {
  const failed = status.conditions?.find(
    ({ type, status: value, reason }) =>
      type === 'DisruptionAllowed' && value === 'False' && reason === 'SyncFailed',
  );
  if (failed) {
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${failed.message}`;
  }
  return `The disruption budget ${name} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`;
}

/** Says in the conditions of a budget whether evictions are allowed, or why not. */
export function sayWhetherAllowed(
  status: PodDisruptionBudget['status'],
  reason: 'SufficientPods' | 'InsufficientPods' | 'SyncFailed',
  { message = '', generation, now }: { message?: string; generation: number; now: string },
): void {
  const conditions = status.conditions ?? [];
  const at = conditions.findIndex(({ type }) => type === 'DisruptionAllowed');
  const before = conditions[at];
  const value = reason === 'SufficientPods' ? 'True' : 'False';
  const condition = {
    type: 'DisruptionAllowed',
    status: value,
    ...(generation > 0 && { observedGeneration: generation }),
    lastTransitionTime: (before?.status === value && before.lastTransitionTime) || now,
    reason,
    message,
  };
  if (before) conditions[at] = condition;
  else conditions.push(condition);
  status.conditions = conditions;
}

/** A refusal that says which budget stands in the way. */
function budgetRefusal(cause: string, after?: number): ApiError {
  return new ApiError(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      causes: [{ reason: 'DisruptionBudget', message: cause }],
      ...(after !== undefined && { retryAfterSeconds: after }),
    },
  );
}
