import { list, mapOf } from '../../schema/collections.ts';
import { int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { conditionStatus } from './condition-status.ts';
import { PodTemplateSpec } from './pod-template-spec.ts';

export const ReplicationControllerSpec = struct('core/v1.ReplicationControllerSpec', {
  replicas: field(1, optional(int32), { default: 1, announced: true }),
  minReadySeconds: field(4, int32, { default: 0, announced: true }),
  selector: field(2, mapOf(string, { atomic: true })),
  template: field(3, optional(PodTemplateSpec)),
});
export type ReplicationControllerSpec = Infer<typeof ReplicationControllerSpec>;

export const ReplicationControllerCondition = struct('core/v1.ReplicationControllerCondition', {
  type: field(1, named('core/v1.ReplicationControllerConditionType', oneOf('ReplicaFailure')), {
    required: true,
  }),
  status: field(2, conditionStatus, { required: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
});
export type ReplicationControllerCondition = Infer<typeof ReplicationControllerCondition>;

export const ReplicationControllerStatus = struct('core/v1.ReplicationControllerStatus', {
  replicas: field(1, int32, { required: true }),
  fullyLabeledReplicas: field(2, int32),
  readyReplicas: field(4, int32),
  availableReplicas: field(5, int32),
  observedGeneration: field(3, int64),
  conditions: field(
    6,
    list(ReplicationControllerCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
  ),
});
export type ReplicationControllerStatus = Infer<typeof ReplicationControllerStatus>;

export const ReplicationController = kind(
  'core/v1.ReplicationController',
  {
    spec: field(2, ReplicationControllerSpec),
    status: field(3, ReplicationControllerStatus),
  },
  { doc: '' },
);
export type ReplicationController = Infer<typeof ReplicationController>;

export const replicationcontrollers = (context: KindContext) =>
  resource<ReplicationController>({
    group: '',
    version: 'v1',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    categories: ['all'],
    storagePrefix: 'controllers',
    schema: ReplicationController,
    strategy: plainStrategy(context, ReplicationController),
    subresources: { status: statusOf(context, ReplicationController) },
  });
