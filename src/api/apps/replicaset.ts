import { list } from '../../schema/collections.ts';
import { int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const ReplicaSetSpec = struct('apps/v1.ReplicaSetSpec', {
  replicas: field(1, optional(int32)),
  minReadySeconds: field(4, int32),
  selector: field(2, optional(LabelSelector), { required: true }),
  template: field(3, PodTemplateSpec),
});
export type ReplicaSetSpec = Infer<typeof ReplicaSetSpec>;

export const ReplicaSetCondition = struct('apps/v1.ReplicaSetCondition', {
  type: field(1, named('apps/v1.ReplicaSetConditionType', oneOf('ReplicaFailure')), { required: true }),
  status: field(2, conditionStatus, { required: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
});
export type ReplicaSetCondition = Infer<typeof ReplicaSetCondition>;

export const ReplicaSetStatus = struct('apps/v1.ReplicaSetStatus', {
  replicas: field(1, int32, { required: true }),
  fullyLabeledReplicas: field(2, int32),
  readyReplicas: field(4, int32),
  availableReplicas: field(5, int32),
  terminatingReplicas: field(7, optional(int32)),
  observedGeneration: field(3, int64),
  conditions: field(
    6,
    list(ReplicaSetCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
  ),
});
export type ReplicaSetStatus = Infer<typeof ReplicaSetStatus>;

export const ReplicaSet = kind(
  'apps/v1.ReplicaSet',
  {
    spec: field(2, ReplicaSetSpec),
    status: field(3, ReplicaSetStatus),
  },
  { doc: '' },
);
export type ReplicaSet = Infer<typeof ReplicaSet>;

export const replicasets = (context: KindContext) =>
  resource<ReplicaSet>({
    group: 'apps',
    version: 'v1',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ['all'],
    schema: ReplicaSet,
    strategy: plainStrategy(context, ReplicaSet),
    subresources: { status: statusOf(context, ReplicaSet) },
  });
