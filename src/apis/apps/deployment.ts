// Deployment: schema.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { bool, documentedEnum, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';

export const RollingUpdateDeployment = struct(
  'apps/v1.RollingUpdateDeployment',
  {
    maxUnavailable: field(1, optional(intOrString), {
      doc: 'How many pods may be missing meanwhile, or what share of all, rounded down. 25% by default.',
    }),
    maxSurge: field(2, optional(intOrString), {
      doc: 'How many pods there may be too many meanwhile, or what share of all, rounded up. 25% by default.',
    }),
  },
  {
    doc: 'How fast old pods are replaced by new ones.',
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
    type: field(1, named('apps/v1.DeploymentStrategyType', documentedEnum('Recreate', 'RollingUpdate')), {
      doc: 'Recreate ends all old pods first; RollingUpdate, the default, replaces them bit by bit.',
    }),
    rollingUpdate: field(2, optional(RollingUpdateDeployment), { doc: 'Only with RollingUpdate.' }),
  },
  {
    doc: 'How old pods are replaced by new ones.',
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
    replicas: field(1, optional(int32), { doc: 'How many pods there are to be. 1 by default; 0 is none.' }),
    selector: field(2, optional(LabelSelector), {
      required: true,
      doc: 'Which pods are its own. It must select the labels of the template, and never changes.',
    }),
    template: field(3, PodTemplateSpec, { required: true, doc: 'What the pods look like.' }),
    strategy: field(4, DeploymentStrategy, {
      patch: 'retainKeys',
      doc: 'How pods are replaced when the template changes.',
    }),
    minReadySeconds: field(5, int32, {
      doc: 'How long a new pod must be ready without a container ending before it counts as available.',
    }),
    revisionHistoryLimit: field(6, optional(int32), {
      doc: 'How many ReplicaSets of the past are kept to go back to. 10 by default.',
    }),
    paused: field(7, bool, { doc: 'While true, changes are not rolled out.' }),
    progressDeadlineSeconds: field(9, optional(int32), {
      doc: 'After how long without progress the Deployment is reported as failed. 600 by default.',
    }),
  },
  {
    doc: 'What a Deployment is to be.',
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
      named('apps/v1.DeploymentConditionType', oneOf('Available', 'Progressing', 'ReplicaFailure')),
      { required: true, doc: 'What the condition is about.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'Whether it holds.' }),
    lastUpdateTime: field(6, time, { doc: 'When the condition was last looked at.' }),
    lastTransitionTime: field(7, time, { doc: 'When its status last changed.' }),
    reason: field(4, string, { doc: 'Why, in one word for machines.' }),
    message: field(5, string, { doc: 'Why, in a sentence for people.' }),
  },
  { doc: 'How a Deployment is getting on, in one respect.' },
);

const DeploymentStatus = struct(
  'apps/v1.DeploymentStatus',
  {
    observedGeneration: field(1, int64, { doc: 'The generation that the controller has seen.' }),
    replicas: field(2, int32, { doc: 'How many of its pods there are that are not ending.' }),
    updatedReplicas: field(3, int32, { doc: 'How many of them have the newest template.' }),
    readyReplicas: field(7, int32, { doc: 'How many of them are ready.' }),
    availableReplicas: field(4, int32, { doc: 'How many have been ready for `minReadySeconds`.' }),
    unavailableReplicas: field(5, int32, { doc: 'How many more would have to be.' }),
    terminatingReplicas: field(9, optional(int32), { doc: 'How many of its pods are ending.' }),
    conditions: field(
      6,
      list(DeploymentCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'How it is getting on.' },
    ),
    collisionCount: field(8, optional(int32), {
      doc: 'How often the name of a new ReplicaSet was taken. It goes into the next name, and never falls.',
    }),
  },
  { doc: 'What has become of a Deployment.' },
);

export const Deployment = kind(
  'apps/v1.Deployment',
  {
    spec: field(2, DeploymentSpec, { doc: 'What it is to be.' }),
    status: field(3, DeploymentStatus, { doc: 'What has become of it.' }),
  },
  { doc: 'A number of like pods, replaced step by step when their template changes.' },
);
export type Deployment = Infer<typeof Deployment>;
