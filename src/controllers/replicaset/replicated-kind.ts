// The two kinds of the ReplicaSet controller: ReplicaSet, and ReplicationController, which has the same fields except for the selector.
import type { ReplicaSet } from '../../apis/apps/replicaset.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { ReplicationController } from '../../apis/core/replicationcontroller.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import type { OwnerControllerOptions } from '../workload/owner-controller.ts';

export type Replicated = ReplicaSet | ReplicationController;

export interface ReplicatedKind
  extends Pick<OwnerControllerOptions<Replicated, Pod>, 'owner' | 'queueName' | 'component' | 'selectorOf'> {
  /** Whether its status has terminatingReplicas. */
  readonly hasTerminatingReplicas: boolean;
}

export const replicaSets: ReplicatedKind = {
  owner: { group: 'apps', version: 'v1', resource: 'replicasets' },
  queueName: 'replicaset',
  component: 'replicaset-controller',
  selectorOf: ({ spec }) => (spec as ReplicaSet['spec']).selector,
  hasTerminatingReplicas: true,
};

export const replicationControllers: ReplicatedKind = {
  owner: { group: '', version: 'v1', resource: 'replicationcontrollers' },
  queueName: 'replicationmanager',
  component: 'replication-controller',
  selectorOf: ({ spec }) => mapSelector(spec as ReplicationController['spec']),
  hasTerminatingReplicas: false,
};

/** The selector of a ReplicationController is a map of labels; an empty one selects nothing. */
function mapSelector({ selector = {} }: ReplicationController['spec']): LabelSelector | undefined {
  return Object.keys(selector).length > 0 ? { matchLabels: selector } : undefined;
}
