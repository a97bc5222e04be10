// PodDisruptionBudgets as the eviction subresource enforces them. One update of the budget's status decrements
// disruptionsAllowed and records the pod in disruptedPods, so that concurrent evictions cannot exceed the budget. The
// PodDisruptionBudget controller recomputes both later.

import { timestamp } from '../../base/clock.ts';
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import { forbidden } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { ActionRequest } from '../../kind/definition.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import type { Pod } from '../core/pod.ts';
import { isReady } from '../core/pod-conditions.ts';
import type { PodDisruptionBudget } from './poddisruptionbudget.ts';

type BudgetContext = Pick<ActionRequest, 'objects' | 'clock'>;

/** Counts the eviction of a pod against its PodDisruptionBudget. Throws 429 where that allows no disruption. */
export async function consumeDisruption(
  context: BudgetContext,
  pod: Pod,
  { dryRun }: { readonly dryRun: boolean },
): Promise<void> {
  const budgets = matchingBudgets(context, pod);
  if (budgets.length > 1) {
    throw new ApiError(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const [budget] = budgets;
  if (!budget || isUnhealthyEvictable(pod, budget)) return;
  const { objects, clock } = context;
  const key = { ...budgetCollection(pod), name: budget.metadata.name ?? '' };
  const now = timestamp(clock);
  await objects.guaranteedUpdate(
    key,
    (object) => checkAndDecrement(object as PodDisruptionBudget, pod.metadata.name ?? '', now),
    { dryRun, managedThrough: 'status' },
  );
}

const budgetCollection = ({ metadata }: Pod) => ({
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  namespace: metadata.namespace ?? '',
});

function matchingBudgets({ objects }: BudgetContext, pod: Pod): PodDisruptionBudget[] {
  const budgets = objects.list(budgetCollection(pod)) as PodDisruptionBudget[];
  return budgets.filter(
    ({ spec }) => spec.selector && labelSelectorMatches(spec.selector, pod.metadata.labels),
  );
}

/** An unready pod does not count as healthy: it may be evicted while enough others are healthy. */
function isUnhealthyEvictable(pod: Pod, { spec, status }: PodDisruptionBudget): boolean {
  if (isReady(pod.status)) return false;
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0;
}

/** Beyond this the PDB controller has stopped confirming evictions. */
const maxDisruptedPods = 2000;
/** A stale budget refuses evictions until the controller has observed its new spec. */
const staleBudgetRetrySeconds = 10;

/** Upstream's checkAndDecrement: throws if the budget allows no disruption, otherwise updates its status. */
function checkAndDecrement({ metadata, status }: PodDisruptionBudget, podName: string, now: string): void {
  const name = metadata.name ?? '';
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    const detail = `The disruption budget ${name} is still being processed by the server.`;
    throw budgetError(detail, staleBudgetRetrySeconds);
  }
  const disruptedPods = status.disruptedPods ?? nullPrototypeObject<string>();
  const subject = { group: 'policy', resource: 'poddisruptionbudget' };
  if (status.disruptionsAllowed < 0) {
    throw forbidden(subject, name, 'pdb disruptions allowed is negative');
  }
  if (Object.keys(disruptedPods).length > maxDisruptedPods) {
    const detail = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(subject, name, detail);
  }
  if (status.disruptionsAllowed === 0) throw budgetError(noDisruptionsReason(name, status));
  status.disruptionsAllowed--;
  if (status.disruptionsAllowed === 0) {
    setDisruptionAllowed(status, 'InsufficientPods', { generation: metadata.generation ?? 0, now });
  }
  disruptedPods[podName] = now;
  status.disruptedPods = disruptedPods;
}

function noDisruptionsReason(name: string, status: PodDisruptionBudget['status']): string {
  const failedSync = status.conditions?.find(
    ({ type, status: value, reason }) =>
      type === 'DisruptionAllowed' && value === 'False' && reason === 'SyncFailed',
  );
  if (failedSync) {
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${failedSync.message}`;
  }
  return `The disruption budget ${name} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`;
}

/** Sets the budget's condition DisruptionAllowed. */
export function setDisruptionAllowed(
  status: PodDisruptionBudget['status'],
  reason: 'SufficientPods' | 'InsufficientPods' | 'SyncFailed',
  { message = '', generation, now }: { message?: string; generation: number; now: string },
): void {
  const conditions = status.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === 'DisruptionAllowed');
  const oldCondition = conditions[index];
  const conditionStatus = reason === 'SufficientPods' ? 'True' : 'False';
  const condition = {
    type: 'DisruptionAllowed',
    status: conditionStatus,
    ...(generation > 0 && { observedGeneration: generation }),
    lastTransitionTime: (oldCondition?.status === conditionStatus && oldCondition.lastTransitionTime) || now,
    reason,
    message,
  };
  if (oldCondition) conditions[index] = condition;
  else conditions.push(condition);
  status.conditions = conditions;
}

/** 429 with the budget as its cause. */
function budgetError(cause: string, retryAfterSeconds?: number): ApiError {
  return new ApiError(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      causes: [{ reason: 'DisruptionBudget', message: cause }],
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  );
}
