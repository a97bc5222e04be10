import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PersistentVolumeClaim } from '../core/persistentvolumeclaim.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const RollingUpdateStatefulSetStrategy = struct('apps/v1.RollingUpdateStatefulSetStrategy', {
  partition: field(1, optional(int32)),
  maxUnavailable: field(2, optional(intOrString)),
});
export type RollingUpdateStatefulSetStrategy = Infer<typeof RollingUpdateStatefulSetStrategy>;

export const StatefulSetUpdateStrategy = struct('apps/v1.StatefulSetUpdateStrategy', {
  type: field(1, named('apps/v1.StatefulSetUpdateStrategyType', oneOf('RollingUpdate', 'OnDelete'))),
  rollingUpdate: field(2, optional(RollingUpdateStatefulSetStrategy)),
});
export type StatefulSetUpdateStrategy = Infer<typeof StatefulSetUpdateStrategy>;

export const persistentVolumeClaimRetentionPolicyType = named(
  'apps/v1.PersistentVolumeClaimRetentionPolicyType',
  oneOf('Retain', 'Delete'),
);

export const StatefulSetPersistentVolumeClaimRetentionPolicy = struct(
  'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  {
    whenDeleted: field(1, persistentVolumeClaimRetentionPolicyType),
    whenScaled: field(2, persistentVolumeClaimRetentionPolicyType),
  },
);
export type StatefulSetPersistentVolumeClaimRetentionPolicy = Infer<
  typeof StatefulSetPersistentVolumeClaimRetentionPolicy
>;

export const StatefulSetOrdinals = struct('apps/v1.StatefulSetOrdinals', {
  start: field(1, int32, { alwaysWritten: true }),
});
export type StatefulSetOrdinals = Infer<typeof StatefulSetOrdinals>;

export const StatefulSetSpec = struct('apps/v1.StatefulSetSpec', {
  replicas: field(1, optional(int32)),
  selector: field(2, optional(LabelSelector), { required: true }),
  template: field(3, PodTemplateSpec, { required: true }),
  volumeClaimTemplates: field(4, list(PersistentVolumeClaim, { type: 'atomic' })),
  serviceName: field(5, string, { alwaysWritten: true }),
  podManagementPolicy: field(6, named('apps/v1.PodManagementPolicyType', oneOf('OrderedReady', 'Parallel'))),
  updateStrategy: field(7, StatefulSetUpdateStrategy),
  revisionHistoryLimit: field(8, optional(int32)),
  minReadySeconds: field(9, int32),
  persistentVolumeClaimRetentionPolicy: field(10, optional(StatefulSetPersistentVolumeClaimRetentionPolicy)),
  ordinals: field(11, optional(StatefulSetOrdinals)),
});
export type StatefulSetSpec = Infer<typeof StatefulSetSpec>;

export const StatefulSetCondition = struct('apps/v1.StatefulSetCondition', {
  type: field(1, named('apps/v1.StatefulSetConditionType', string), { required: true }),
  status: field(2, conditionStatus, { required: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
});
export type StatefulSetCondition = Infer<typeof StatefulSetCondition>;

export const StatefulSetStatus = struct('apps/v1.StatefulSetStatus', {
  observedGeneration: field(1, int64),
  replicas: field(2, int32, { required: true }),
  readyReplicas: field(3, int32),
  currentReplicas: field(4, int32),
  updatedReplicas: field(5, int32),
  currentRevision: field(6, string),
  updateRevision: field(7, string),
  collisionCount: field(9, optional(int32)),
  conditions: field(
    10,
    list(StatefulSetCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
  ),
  availableReplicas: field(11, int32, { alwaysWritten: true }),
});
export type StatefulSetStatus = Infer<typeof StatefulSetStatus>;

export const StatefulSet = kind(
  'apps/v1.StatefulSet',
  {
    spec: field(2, StatefulSetSpec),
    status: field(3, StatefulSetStatus),
  },
  { doc: '' },
);
export type StatefulSet = Infer<typeof StatefulSet>;

export const statefulsets = (context: KindContext) =>
  resource<StatefulSet>({
    group: 'apps',
    version: 'v1',
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    categories: ['all'],
    schema: StatefulSet,
    strategy: plainStrategy(context, StatefulSet),
    subresources: { status: statusOf(context, StatefulSet) },
  });
