import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
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

export const RollingUpdateDaemonSet = struct('apps/v1.RollingUpdateDaemonSet', {
  maxUnavailable: field(1, optional(intOrString)),
  maxSurge: field(2, optional(intOrString)),
});
export type RollingUpdateDaemonSet = Infer<typeof RollingUpdateDaemonSet>;

export const DaemonSetUpdateStrategy = struct('apps/v1.DaemonSetUpdateStrategy', {
  type: field(1, named('apps/v1.DaemonSetUpdateStrategyType', oneOf('RollingUpdate', 'OnDelete'))),
  rollingUpdate: field(2, optional(RollingUpdateDaemonSet)),
});
export type DaemonSetUpdateStrategy = Infer<typeof DaemonSetUpdateStrategy>;

export const DaemonSetSpec = struct('apps/v1.DaemonSetSpec', {
  selector: field(1, optional(LabelSelector), { required: true }),
  template: field(2, PodTemplateSpec, { required: true }),
  updateStrategy: field(3, DaemonSetUpdateStrategy),
  minReadySeconds: field(4, int32),
  revisionHistoryLimit: field(6, optional(int32)),
});
export type DaemonSetSpec = Infer<typeof DaemonSetSpec>;

export const DaemonSetCondition = struct('apps/v1.DaemonSetCondition', {
  type: field(1, named('apps/v1.DaemonSetConditionType', string), { required: true }),
  status: field(2, conditionStatus, { required: true }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
});
export type DaemonSetCondition = Infer<typeof DaemonSetCondition>;

export const DaemonSetStatus = struct('apps/v1.DaemonSetStatus', {
  currentNumberScheduled: field(1, int32, { required: true }),
  numberMisscheduled: field(2, int32, { required: true }),
  desiredNumberScheduled: field(3, int32, { required: true }),
  numberReady: field(4, int32, { required: true }),
  observedGeneration: field(5, int64),
  updatedNumberScheduled: field(6, int32),
  numberAvailable: field(7, int32),
  numberUnavailable: field(8, int32),
  collisionCount: field(9, optional(int32)),
  conditions: field(
    10,
    list(DaemonSetCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
  ),
});
export type DaemonSetStatus = Infer<typeof DaemonSetStatus>;

export const DaemonSet = kind(
  'apps/v1.DaemonSet',
  {
    spec: field(2, DaemonSetSpec),
    status: field(3, DaemonSetStatus),
  },
  { doc: '' },
);
export type DaemonSet = Infer<typeof DaemonSet>;

export const daemonsets = (context: KindContext) =>
  resource<DaemonSet>({
    group: 'apps',
    version: 'v1',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    categories: ['all'],
    schema: DaemonSet,
    strategy: plainStrategy(context, DaemonSet),
    subresources: { status: statusOf(context, DaemonSet) },
  });
