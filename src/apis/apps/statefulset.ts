// StatefulSet: schema.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { documentedEnum, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PersistentVolumeClaim } from '../core/persistentvolumeclaim.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';

export const RollingUpdateStatefulSetStrategy = struct(
  'apps/v1.RollingUpdateStatefulSetStrategy',
  {
    partition: field(1, optional(int32), {
      doc: 'Only pods with this number or a higher one are replaced; the others stay as they are. 0 by default.',
    }),
    maxUnavailable: field(2, optional(intOrString), {
      doc: 'How many pods may be missing meanwhile, or what share of all, rounded up. 1 by default.',
    }),
  },
  { doc: 'How far and how fast old pods are replaced by new ones.' },
);
export type RollingUpdateStatefulSetStrategy = Infer<typeof RollingUpdateStatefulSetStrategy>;

export const StatefulSetUpdateStrategy = struct(
  'apps/v1.StatefulSetUpdateStrategy',
  {
    type: field(
      1,
      named('apps/v1.StatefulSetUpdateStrategyType', documentedEnum('RollingUpdate', 'OnDelete')),
      {
        doc: 'RollingUpdate, the default, replaces pods from the highest number down; OnDelete only those that somebody deletes.',
      },
    ),
    rollingUpdate: field(2, optional(RollingUpdateStatefulSetStrategy), { doc: 'Only with RollingUpdate.' }),
  },
  {
    doc: 'How old pods are replaced by new ones.',
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
  oneOf('Retain', 'Delete'),
);

const StatefulSetPersistentVolumeClaimRetentionPolicy = struct(
  'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  {
    whenDeleted: field(1, persistentVolumeClaimRetentionPolicyType, {
      doc: 'When the StatefulSet is deleted. Retain by default.',
    }),
    whenScaled: field(2, persistentVolumeClaimRetentionPolicyType, {
      doc: 'When there are fewer replicas, so that the pod of the claim goes. Retain by default.',
    }),
  },
  {
    doc: 'Whether the claims made from templates go with what they were made for.',
    defaults(policy) {
      policy.whenDeleted ||= 'Retain';
      policy.whenScaled ||= 'Retain';
    },
  },
);

const StatefulSetOrdinals = struct(
  'apps/v1.StatefulSetOrdinals',
  { start: field(1, int32, { alwaysWritten: true, doc: 'The number of the first pod.' }) },
  { doc: 'How pods are numbered.' },
);

export const StatefulSetSpec = struct(
  'apps/v1.StatefulSetSpec',
  {
    replicas: field(1, optional(int32), { doc: 'How many pods there are to be. 1 by default; 0 is none.' }),
    selector: field(2, optional(LabelSelector), {
      required: true,
      doc: 'Which pods are its own. It must select the labels of the template, and never changes.',
    }),
    template: field(3, PodTemplateSpec, {
      required: true,
      doc: 'What the pods look like. Each gets the name of the set with its number.',
    }),
    volumeClaimTemplates: field(4, list(PersistentVolumeClaim, { type: 'atomic' }), {
      doc: 'Claims that each pod gets one of, and finds again when it is replaced. They take the place of volumes of the same name, and never change.',
    }),
    serviceName: field(5, string, {
      alwaysWritten: true,
      doc: 'The Service through which the pods have names in DNS. It never changes.',
    }),
    podManagementPolicy: field(
      6,
      named('apps/v1.PodManagementPolicyType', documentedEnum('OrderedReady', 'Parallel')),
      {
        doc: 'OrderedReady, the default, starts pods one after the other and ends them the other way round; Parallel all at once. It never changes.',
      },
    ),
    updateStrategy: field(7, StatefulSetUpdateStrategy, {
      doc: 'How pods are replaced when the template changes.',
    }),
    revisionHistoryLimit: field(8, optional(int32), {
      doc: 'How many ControllerRevisions of the past are kept to go back to. 10 by default.',
    }),
    minReadySeconds: field(9, int32, {
      doc: 'How long a new pod must be ready without a container ending before it counts as available.',
    }),
    persistentVolumeClaimRetentionPolicy: field(
      10,
      optional(StatefulSetPersistentVolumeClaimRetentionPolicy),
      { doc: 'Whether claims go with what they were made for. They stay by default.' },
    ),
    ordinals: field(11, optional(StatefulSetOrdinals), {
      doc: 'How pods are numbered; from 0 on by default.',
    }),
  },
  {
    doc: 'What a StatefulSet is to be.',
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
      doc: 'What the condition is about.',
    }),
    status: field(2, conditionStatus, { required: true, doc: 'Whether it holds.' }),
    lastTransitionTime: field(3, time, { doc: 'When that last changed.' }),
    reason: field(4, string, { doc: 'Why, in one word for machines.' }),
    message: field(5, string, { doc: 'Why, in a sentence for people.' }),
  },
  { doc: 'How a StatefulSet is getting on, in one respect.' },
);

const StatefulSetStatus = struct(
  'apps/v1.StatefulSetStatus',
  {
    observedGeneration: field(1, int64, { doc: 'The generation that the controller has seen.' }),
    replicas: field(2, int32, { required: true, doc: 'How many pods there are.' }),
    readyReplicas: field(3, int32, { doc: 'How many of them are ready.' }),
    currentReplicas: field(4, int32, { doc: 'How many are of `currentRevision`.' }),
    updatedReplicas: field(5, int32, { doc: 'How many are of `updateRevision`.' }),
    currentRevision: field(6, string, { doc: 'The revision that pods with low numbers are of.' }),
    updateRevision: field(7, string, { doc: 'The revision that pods are to be of in the end.' }),
    collisionCount: field(9, optional(int32), {
      doc: 'How often the name of a new ControllerRevision was taken. It goes into the next name, and never falls.',
    }),
    conditions: field(
      10,
      list(StatefulSetCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'How it is getting on.' },
    ),
    availableReplicas: field(11, int32, {
      alwaysWritten: true,
      doc: 'How many have been ready for `minReadySeconds`.',
    }),
  },
  { doc: 'What has become of a StatefulSet.' },
);

export const StatefulSet = kind(
  'apps/v1.StatefulSet',
  {
    spec: field(2, StatefulSetSpec, { doc: 'What it is to be.' }),
    status: field(3, StatefulSetStatus, { doc: 'What has become of it.' }),
  },
  { doc: 'Pods that are numbered: each keeps its name and its volumes when it is replaced.' },
);
export type StatefulSet = Infer<typeof StatefulSet>;
