// Deployment: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { bool, int32, int64, named, openEnum, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';

export const RollingUpdateDeployment = struct(
  'apps/v1.RollingUpdateDeployment',
  {
    maxUnavailable: field(1, optional(intOrString), {
      doc: 'The maximum number or percentage of unavailable pods during the update; percentages round down. Defaults to 25%.',
    }),
    maxSurge: field(2, optional(intOrString), {
      doc: 'The maximum number or percentage of pods above the desired number during the update; percentages round up. Defaults to 25%.',
    }),
  },
  {
    doc: 'The parameters of a rolling update.',
    defaults(update) {
      update.maxUnavailable ??= '25%';
      update.maxSurge ??= '25%';
    },
  },
);
export type RollingUpdateDeployment = Infer<typeof RollingUpdateDeployment>;

export const DeploymentStrategy = struct(
  'apps/v1.DeploymentStrategy',
  {
    type: field(1, named('apps/v1.DeploymentStrategyType', publishedEnum('Recreate', 'RollingUpdate')), {
      doc: 'RollingUpdate (default) replaces pods gradually; Recreate terminates all old pods first.',
    }),
    rollingUpdate: field(2, optional(RollingUpdateDeployment), {
      doc: 'The parameters for type RollingUpdate.',
    }),
  },
  {
    doc: 'How pods are replaced by pods of a new template.',
    defaults(strategy) {
      strategy.type ||= 'RollingUpdate';
      if (strategy.type !== 'RollingUpdate') return;
      strategy.rollingUpdate ??= { maxUnavailable: '25%', maxSurge: '25%' };
    },
  },
);
export type DeploymentStrategy = Infer<typeof DeploymentStrategy>;

export const DeploymentSpec = struct(
  'apps/v1.DeploymentSpec',
  {
    replicas: field(1, optional(int32), { doc: 'The desired number of pods. Defaults to 1; 0 is allowed.' }),
    selector: field(2, optional(LabelSelector), {
      required: true,
      doc: 'Selects the pods of the Deployment. Must match the labels of the template. Immutable.',
    }),
    template: field(3, PodTemplateSpec, { required: true, doc: 'The template of the pods.' }),
    strategy: field(4, DeploymentStrategy, {
      patch: 'retainKeys',
      doc: 'How pods are replaced when the template changes.',
    }),
    minReadySeconds: field(5, int32, {
      doc: 'Seconds that a new pod must be ready without a container crash before it counts as available.',
    }),
    revisionHistoryLimit: field(6, optional(int32), {
      doc: 'The number of old ReplicaSets to keep for rollback. Defaults to 10.',
    }),
    paused: field(7, bool, { doc: 'If true, changes of the template are not rolled out.' }),
    progressDeadlineSeconds: field(9, optional(int32), {
      doc: 'Seconds without progress after which the condition Progressing becomes False. Defaults to 600.',
    }),
  },
  {
    doc: 'The specification of a Deployment.',
    defaults(spec) {
      spec.replicas ??= 1;
      spec.revisionHistoryLimit ??= 10;
      spec.progressDeadlineSeconds ??= 600;
    },
  },
);
export type DeploymentSpec = Infer<typeof DeploymentSpec>;

const DeploymentCondition = struct(
  'apps/v1.DeploymentCondition',
  {
    type: field(
      1,
      named('apps/v1.DeploymentConditionType', openEnum('Available', 'Progressing', 'ReplicaFailure')),
      { required: true, doc: 'The type of the condition.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastUpdateTime: field(6, time, { doc: 'When the condition was last updated.' }),
    lastTransitionTime: field(7, time, { doc: 'When the status last changed.' }),
    reason: field(4, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(5, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a Deployment.' },
);

export const DeploymentStatus = struct(
  'apps/v1.DeploymentStatus',
  {
    observedGeneration: field(1, int64, { doc: 'The generation that the controller last observed.' }),
    replicas: field(2, int32, { doc: 'The number of pods that are not terminating.' }),
    updatedReplicas: field(3, int32, { doc: 'The number of these pods that have the current template.' }),
    readyReplicas: field(7, int32, { doc: 'The number of these pods that are ready.' }),
    availableReplicas: field(4, int32, {
      doc: 'The number of these pods that have been ready for `minReadySeconds`.',
    }),
    unavailableReplicas: field(5, int32, {
      doc: 'The number of pods that are missing or not yet available.',
    }),
    terminatingReplicas: field(9, optional(int32), { doc: 'The number of terminating pods.' }),
    conditions: field(
      6,
      list(DeploymentCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the Deployment.' },
    ),
    collisionCount: field(8, optional(int32), {
      doc: 'The number of hash collisions of ReplicaSet names. It is part of the next hash and never decreases.',
    }),
  },
  { doc: 'The current status of a Deployment.' },
);
export type DeploymentStatus = Infer<typeof DeploymentStatus>;

export const Deployment = kind(
  'apps/v1.Deployment',
  {
    spec: field(2, DeploymentSpec, { doc: 'The specification of the Deployment.' }),
    status: field(3, DeploymentStatus, { doc: 'The most recently observed status of the Deployment.' }),
  },
  { doc: 'Keeps a number of identical pods running and rolls out changes of their template.' },
);
export type Deployment = Infer<typeof Deployment>;
