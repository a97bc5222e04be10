// StatefulSet: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { int32, int64, named, openEnum, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PersistentVolumeClaim } from '../core/persistentvolumeclaim.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';

export const RollingUpdateStatefulSetStrategy = struct(
  'apps/v1.RollingUpdateStatefulSetStrategy',
  {
    partition: field(1, optional(int32), {
      doc: 'Only pods with this ordinal or a higher one are updated. Defaults to 0.',
    }),
    maxUnavailable: field(2, optional(intOrString), {
      doc: 'The maximum number or percentage of unavailable pods during the update; percentages round up. Defaults to 1.',
    }),
  },
  { doc: 'The parameters of a rolling update.' },
);
export type RollingUpdateStatefulSetStrategy = Infer<typeof RollingUpdateStatefulSetStrategy>;

export const StatefulSetUpdateStrategy = struct(
  'apps/v1.StatefulSetUpdateStrategy',
  {
    type: field(
      1,
      named('apps/v1.StatefulSetUpdateStrategyType', publishedEnum('RollingUpdate', 'OnDelete')),
      {
        doc: 'RollingUpdate (default) replaces pods from the highest ordinal down; OnDelete replaces a pod only when it is deleted.',
      },
    ),
    rollingUpdate: field(2, optional(RollingUpdateStatefulSetStrategy), {
      doc: 'The parameters for type RollingUpdate.',
    }),
  },
  {
    doc: 'How pods are replaced by pods of a new template.',
    defaults(strategy) {
      if (!strategy.type) strategy.rollingUpdate ??= {};
      strategy.type ||= 'RollingUpdate';
      if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
    },
  },
);
export type StatefulSetUpdateStrategy = Infer<typeof StatefulSetUpdateStrategy>;

const persistentVolumeClaimRetentionPolicyType = named(
  'apps/v1.PersistentVolumeClaimRetentionPolicyType',
  openEnum('Retain', 'Delete'),
);

const StatefulSetPersistentVolumeClaimRetentionPolicy = struct(
  'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  {
    whenDeleted: field(1, persistentVolumeClaimRetentionPolicyType, {
      doc: 'Whether claims are kept or deleted when the StatefulSet is deleted: Retain (default) or Delete.',
    }),
    whenScaled: field(2, persistentVolumeClaimRetentionPolicyType, {
      doc: 'Whether the claims of removed pods are kept or deleted when the StatefulSet is scaled down: Retain (default) or Delete.',
    }),
  },
  {
    doc: 'The retention policy of claims that are created from volumeClaimTemplates.',
    defaults(policy) {
      policy.whenDeleted ||= 'Retain';
      policy.whenScaled ||= 'Retain';
    },
  },
);

const StatefulSetOrdinals = struct(
  'apps/v1.StatefulSetOrdinals',
  { start: field(1, int32, { omitEmpty: false, doc: 'The ordinal of the first pod.' }) },
  { doc: 'The numbering of the pods.' },
);

export const StatefulSetSpec = struct(
  'apps/v1.StatefulSetSpec',
  {
    replicas: field(1, optional(int32), { doc: 'The desired number of pods. Defaults to 1; 0 is allowed.' }),
    selector: field(2, optional(LabelSelector), {
      required: true,
      doc: 'Selects the pods of the StatefulSet. Must match the labels of the template. Immutable.',
    }),
    template: field(3, PodTemplateSpec, {
      required: true,
      doc: 'The template of the pods. Each pod is named <StatefulSet name>-<ordinal>.',
    }),
    volumeClaimTemplates: field(4, list(PersistentVolumeClaim, { type: 'atomic' }), {
      doc: 'PersistentVolumeClaims that are created for each pod and reused by its replacement. They override volumes of the same name. Immutable.',
    }),
    serviceName: field(5, string, {
      omitEmpty: false,
      doc: 'The governing Service, which gives the pods DNS names. Immutable.',
    }),
    podManagementPolicy: field(
      6,
      named('apps/v1.PodManagementPolicyType', publishedEnum('OrderedReady', 'Parallel')),
      {
        doc: 'OrderedReady (default) creates pods one by one in order and removes them in reverse order; Parallel does not wait. Immutable.',
      },
    ),
    updateStrategy: field(7, StatefulSetUpdateStrategy, {
      doc: 'How pods are replaced when the template changes.',
    }),
    revisionHistoryLimit: field(8, optional(int32), {
      doc: 'The number of old ControllerRevisions to keep for rollback. Defaults to 10.',
    }),
    minReadySeconds: field(9, int32, {
      doc: 'Seconds that a new pod must be ready without a container crash before it counts as available.',
    }),
    persistentVolumeClaimRetentionPolicy: field(
      10,
      optional(StatefulSetPersistentVolumeClaimRetentionPolicy),
      {
        doc: 'The retention policy of claims that are created from volumeClaimTemplates. Claims are retained by default.',
      },
    ),
    ordinals: field(11, optional(StatefulSetOrdinals), {
      doc: 'The numbering of the pods. Starts at 0 by default.',
    }),
  },
  {
    doc: 'The specification of a StatefulSet.',
    defaults(spec) {
      spec.podManagementPolicy ||= 'OrderedReady';
      spec.replicas ??= 1;
      spec.revisionHistoryLimit ??= 10;
      spec.persistentVolumeClaimRetentionPolicy ??= { whenDeleted: 'Retain', whenScaled: 'Retain' };
      for (const claim of spec.volumeClaimTemplates ?? []) {
        claim.apiVersion = 'v1';
        claim.kind = 'PersistentVolumeClaim';
      }
    },
  },
);
export type StatefulSetSpec = Infer<typeof StatefulSetSpec>;

const StatefulSetCondition = struct(
  'apps/v1.StatefulSetCondition',
  {
    type: field(1, named('apps/v1.StatefulSetConditionType', string), {
      required: true,
      doc: 'The type of the condition.',
    }),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastTransitionTime: field(3, time, { doc: 'When the status last changed.' }),
    reason: field(4, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(5, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a StatefulSet.' },
);

export const StatefulSetStatus = struct(
  'apps/v1.StatefulSetStatus',
  {
    observedGeneration: field(1, int64, { doc: 'The generation that the controller last observed.' }),
    replicas: field(2, int32, { required: true, doc: 'The number of pods.' }),
    readyReplicas: field(3, int32, { doc: 'The number of ready pods.' }),
    currentReplicas: field(4, int32, { doc: 'The number of pods of `currentRevision`.' }),
    updatedReplicas: field(5, int32, { doc: 'The number of pods of `updateRevision`.' }),
    currentRevision: field(6, string, { doc: 'The revision of pods that are not yet updated.' }),
    updateRevision: field(7, string, { doc: 'The revision to which pods are updated.' }),
    collisionCount: field(9, optional(int32), {
      doc: 'The number of hash collisions of ControllerRevision names. It is part of the next hash and never decreases.',
    }),
    conditions: field(
      10,
      list(StatefulSetCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the StatefulSet.' },
    ),
    availableReplicas: field(11, int32, {
      omitEmpty: false,
      doc: 'The number of pods that have been ready for `minReadySeconds`.',
    }),
  },
  { doc: 'The current status of a StatefulSet.' },
);

export type StatefulSetStatus = Infer<typeof StatefulSetStatus>;

export const StatefulSet = kind(
  'apps/v1.StatefulSet',
  {
    spec: field(2, StatefulSetSpec, { doc: 'The specification of the StatefulSet.' }),
    status: field(3, StatefulSetStatus, { doc: 'The most recently observed status of the StatefulSet.' }),
  },
  { doc: 'Manages pods with stable identities: each keeps its name and its volumes when it is replaced.' },
);
export type StatefulSet = Infer<typeof StatefulSet>;
