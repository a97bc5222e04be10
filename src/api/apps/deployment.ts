import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { bool, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const RollingUpdateDeployment = struct('apps/v1.RollingUpdateDeployment', {
  maxUnavailable: field(1, optional(intOrString)),
  maxSurge: field(2, optional(intOrString)),
});
export type RollingUpdateDeployment = Infer<typeof RollingUpdateDeployment>;

export const DeploymentStrategy = struct('apps/v1.DeploymentStrategy', {
  type: field(1, named('apps/v1.DeploymentStrategyType', oneOf('Recreate', 'RollingUpdate'))),
  rollingUpdate: field(2, optional(RollingUpdateDeployment)),
});
export type DeploymentStrategy = Infer<typeof DeploymentStrategy>;

export const DeploymentSpec = struct('apps/v1.DeploymentSpec', {
  replicas: field(1, optional(int32)),
  selector: field(2, optional(LabelSelector), { required: true }),
  template: field(3, PodTemplateSpec, { required: true }),
  strategy: field(4, DeploymentStrategy, { patch: 'retainKeys' }),
  minReadySeconds: field(5, int32),
  revisionHistoryLimit: field(6, optional(int32)),
  paused: field(7, bool),
  progressDeadlineSeconds: field(9, optional(int32)),
});
export type DeploymentSpec = Infer<typeof DeploymentSpec>;

export const DeploymentCondition = struct('apps/v1.DeploymentCondition', {
  type: field(
    1,
    named('apps/v1.DeploymentConditionType', oneOf('Available', 'Progressing', 'ReplicaFailure')),
    { required: true },
  ),
  status: field(2, conditionStatus, { required: true }),
  lastUpdateTime: field(6, time),
  lastTransitionTime: field(7, time),
  reason: field(4, string),
  message: field(5, string),
});
export type DeploymentCondition = Infer<typeof DeploymentCondition>;

export const DeploymentStatus = struct('apps/v1.DeploymentStatus', {
  observedGeneration: field(1, int64),
  replicas: field(2, int32),
  updatedReplicas: field(3, int32),
  readyReplicas: field(7, int32),
  availableReplicas: field(4, int32),
  unavailableReplicas: field(5, int32),
  terminatingReplicas: field(9, optional(int32)),
  conditions: field(
    6,
    list(DeploymentCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
  ),
  collisionCount: field(8, optional(int32)),
});
export type DeploymentStatus = Infer<typeof DeploymentStatus>;

export const Deployment = kind(
  'apps/v1.Deployment',
  {
    spec: field(2, DeploymentSpec),
    status: field(3, DeploymentStatus),
  },
  { doc: '' },
);
export type Deployment = Infer<typeof Deployment>;

export const deployments = (context: KindContext) =>
  resource<Deployment>({
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    categories: ['all'],
    schema: Deployment,
    strategy: plainStrategy(context, Deployment),
    subresources: { status: statusOf(context, Deployment) },
  });
