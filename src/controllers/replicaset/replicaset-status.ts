// ReplicaSet controller: the status of a ReplicaSet or ReplicationController.
import type { ReplicaSetStatus } from '../../apis/apps/replicaset.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import { isAvailable } from '../workload/pod-availability.ts';
import type { Replicated } from './replicated-kind.ts';

/** Reason and message of the condition ReplicaFailure. */
export interface FailureCondition {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

export interface ObservedPods {
  readonly active: readonly Pod[];
  /** The number of terminating pods; undefined if the status does not have it. */
  readonly terminating: number | undefined;
  /** Undefined if pods could be created and deleted. */
  readonly failure: FailureCondition | undefined;
  readonly now: number;
  /** The same time as a timestamp. */
  readonly timestamp: string;
}

export function computeStatus(
  { metadata, spec, status }: Replicated,
  observed: ObservedPods,
): ReplicaSetStatus {
  const { active, terminating, failure, now, timestamp } = observed;
  const { minReadySeconds = 0, template } = spec;
  const templateLabels = { matchLabels: template?.metadata.labels ?? {} };
  const ready = active.filter((pod) => isReady(pod.status));
  const available = ready.filter((pod) => isAvailable(pod, minReadySeconds, now));
  const fullyLabeled = active.filter((pod) => labelSelectorMatches(templateLabels, pod.metadata.labels));
  return {
    replicas: active.length,
    fullyLabeledReplicas: fullyLabeled.length,
    readyReplicas: ready.length,
    availableReplicas: available.length,
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    observedGeneration: metadata.generation ?? 0,
    conditions: replicaFailure(status.conditions ?? [], failure, timestamp),
  };
}

type Conditions = NonNullable<ReplicaSetStatus['conditions']>;

/** Sets the condition ReplicaFailure, or removes it. A condition that exists stays as it is while failures continue. */
function replicaFailure(
  conditions: Conditions,
  failure: FailureCondition | undefined,
  lastTransitionTime: string,
): Conditions {
  const type = 'ReplicaFailure';
  if (failure === undefined) return conditions.filter((condition) => condition.type !== type);
  if (conditions.some((condition) => condition.type === type)) return conditions;
  const { reason, message } = failure;
  return [...conditions, { type, status: 'True', lastTransitionTime, reason, message }];
}
