// DaemonSet: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { int32, int64, named, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';

export const RollingUpdateDaemonSet = struct(
  'apps/v1.RollingUpdateDaemonSet',
  {
    maxUnavailable: field(1, optional(intOrString), {
      doc: 'The maximum number or percentage of nodes without an available pod during the update. Defaults to 1.',
    }),
    maxSurge: field(2, optional(intOrString), {
      doc: 'The maximum number or percentage of nodes with both an old and a new pod during the update. Defaults to 0; then maxUnavailable must not be 0.',
    }),
  },
  { doc: 'The parameters of a rolling update.' },
);
export type RollingUpdateDaemonSet = Infer<typeof RollingUpdateDaemonSet>;

export const DaemonSetUpdateStrategy = struct(
  'apps/v1.DaemonSetUpdateStrategy',
  {
    type: field(1, named('apps/v1.DaemonSetUpdateStrategyType', publishedEnum('RollingUpdate', 'OnDelete')), {
      doc: 'RollingUpdate (default) replaces pods node by node; OnDelete replaces a pod only when it is deleted.',
    }),
    rollingUpdate: field(2, optional(RollingUpdateDaemonSet), {
      doc: 'The parameters for type RollingUpdate.',
    }),
  },
  {
    doc: 'How pods are replaced by pods of a new template.',
    defaults(strategy) {
      strategy.type ||= 'RollingUpdate';
      const isRolling = strategy.type === 'RollingUpdate';
      if (isRolling) strategy.rollingUpdate ??= {};
      if (!strategy.rollingUpdate) return;
      strategy.rollingUpdate.maxUnavailable ??= isRolling ? 1 : 0;
      strategy.rollingUpdate.maxSurge ??= 0;
    },
  },
);
export type DaemonSetUpdateStrategy = Infer<typeof DaemonSetUpdateStrategy>;

export const DaemonSetSpec = struct(
  'apps/v1.DaemonSetSpec',
  {
    selector: field(1, optional(LabelSelector), {
      required: true,
      doc: 'Selects the pods of the DaemonSet. Must match the labels of the template. Immutable.',
    }),
    template: field(2, PodTemplateSpec, {
      required: true,
      doc: 'The template of the pods. One pod runs on each node that matches its scheduling constraints.',
    }),
    updateStrategy: field(3, DaemonSetUpdateStrategy, {
      doc: 'How pods are replaced when the template changes.',
    }),
    minReadySeconds: field(4, int32, {
      doc: 'Seconds that a new pod must be ready without a container crash before it counts as available.',
    }),
    revisionHistoryLimit: field(6, optional(int32), {
      doc: 'The number of old ControllerRevisions to keep for rollback. Defaults to 10.',
    }),
  },
  {
    doc: 'The specification of a DaemonSet.',
    defaults(spec) {
      spec.revisionHistoryLimit ??= 10;
    },
  },
);
export type DaemonSetSpec = Infer<typeof DaemonSetSpec>;

const DaemonSetCondition = struct(
  'apps/v1.DaemonSetCondition',
  {
    type: field(1, named('apps/v1.DaemonSetConditionType', string), {
      required: true,
      doc: 'The type of the condition.',
    }),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastTransitionTime: field(3, time, { doc: 'When the status last changed.' }),
    reason: field(4, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(5, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a DaemonSet.' },
);

export const DaemonSetStatus = struct(
  'apps/v1.DaemonSetStatus',
  {
    currentNumberScheduled: field(1, int32, {
      required: true,
      doc: 'The number of nodes that run the pod and should.',
    }),
    numberMisscheduled: field(2, int32, {
      required: true,
      doc: 'The number of nodes that run the pod but should not.',
    }),
    desiredNumberScheduled: field(3, int32, {
      required: true,
      doc: 'The number of nodes that should run the pod.',
    }),
    numberReady: field(4, int32, { required: true, doc: 'The number of nodes on which the pod is ready.' }),
    observedGeneration: field(5, int64, { doc: 'The generation that the controller last observed.' }),
    updatedNumberScheduled: field(6, int32, {
      doc: 'The number of nodes that run the pod of the current template.',
    }),
    numberAvailable: field(7, int32, {
      doc: 'The number of nodes on which the pod has been ready for `minReadySeconds`.',
    }),
    numberUnavailable: field(8, int32, {
      doc: 'The number of nodes on which the pod should be available but is not.',
    }),
    collisionCount: field(9, optional(int32), {
      doc: 'The number of hash collisions of ControllerRevision names. It is part of the next hash and never decreases.',
    }),
    conditions: field(
      10,
      list(DaemonSetCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the DaemonSet.' },
    ),
  },
  { doc: 'The current status of a DaemonSet.' },
);

export type DaemonSetStatus = Infer<typeof DaemonSetStatus>;

export const DaemonSet = kind(
  'apps/v1.DaemonSet',
  {
    spec: field(2, DaemonSetSpec, { doc: 'The specification of the DaemonSet.' }),
    status: field(3, DaemonSetStatus, { doc: 'The most recently observed status of the DaemonSet.' }),
  },
  { doc: 'Runs one pod on every node, or on every selected node.' },
);
export type DaemonSet = Infer<typeof DaemonSet>;
