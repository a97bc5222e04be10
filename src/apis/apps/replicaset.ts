// ReplicaSet: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { int32, int64, named, openEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';

export const ReplicaSetSpec = struct(
  'apps/v1.ReplicaSetSpec',
  {
    replicas: field(1, optional(int32), { doc: 'The desired number of pods. Defaults to 1; 0 is allowed.' }),
    minReadySeconds: field(4, int32, {
      doc: 'Seconds that a new pod must be ready without a container crash before it counts as available.',
    }),
    selector: field(2, optional(LabelSelector), {
      required: true,
      doc: 'Selects the pods of the ReplicaSet. Must match the labels of the template. Immutable.',
    }),
    template: field(3, PodTemplateSpec, { doc: 'The template of new pods.' }),
  },
  {
    doc: 'The specification of a ReplicaSet.',
    defaults(spec) {
      spec.replicas ??= 1;
    },
  },
);
export type ReplicaSetSpec = Infer<typeof ReplicaSetSpec>;

const ReplicaSetCondition = struct(
  'apps/v1.ReplicaSetCondition',
  {
    type: field(1, named('apps/v1.ReplicaSetConditionType', openEnum('ReplicaFailure')), {
      required: true,
      doc: 'The type of the condition.',
    }),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastTransitionTime: field(3, time, { doc: 'When the status last changed.' }),
    reason: field(4, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(5, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a ReplicaSet.' },
);

export const ReplicaSetStatus = struct(
  'apps/v1.ReplicaSetStatus',
  {
    replicas: field(1, int32, {
      required: true,
      doc: 'The number of pods that are not terminating.',
    }),
    fullyLabeledReplicas: field(2, int32, {
      doc: 'The number of these pods with all labels of the template.',
    }),
    readyReplicas: field(4, int32, { doc: 'The number of these pods that are ready.' }),
    availableReplicas: field(5, int32, {
      doc: 'The number of these pods that have been ready for `minReadySeconds`.',
    }),
    terminatingReplicas: field(7, optional(int32), { doc: 'The number of terminating pods.' }),
    observedGeneration: field(3, int64, { doc: 'The generation that the controller last observed.' }),
    conditions: field(
      6,
      list(ReplicaSetCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the ReplicaSet.' },
    ),
  },
  { doc: 'The current status of a ReplicaSet.' },
);
export type ReplicaSetStatus = Infer<typeof ReplicaSetStatus>;

export const ReplicaSet = kind(
  'apps/v1.ReplicaSet',
  {
    spec: field(2, ReplicaSetSpec, { doc: 'The specification of the ReplicaSet.' }),
    status: field(3, ReplicaSetStatus, { doc: 'The most recently observed status of the ReplicaSet.' }),
  },
  {
    doc: 'Keeps a number of identical pods running. A Deployment creates one for each version of its template.',
  },
);
export type ReplicaSet = Infer<typeof ReplicaSet>;
