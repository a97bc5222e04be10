// DaemonSet: schema.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { documentedEnum, int32, int64, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';

export const RollingUpdateDaemonSet = struct(
  'apps/v1.RollingUpdateDaemonSet',
  {
    maxUnavailable: field(1, optional(intOrString), {
      doc: 'On how many nodes the pod may be missing meanwhile, or on what share of them. 1 by default.',
    }),
    maxSurge: field(2, optional(intOrString), {
      doc: 'On how many nodes a new pod may run beside the old one meanwhile, or on what share of them. 0 by default; then maxUnavailable must not be 0.',
    }),
  },
  { doc: 'How fast old pods are replaced by new ones.' },
);
export type RollingUpdateDaemonSet = Infer<typeof RollingUpdateDaemonSet>;

export const DaemonSetUpdateStrategy = struct(
  'apps/v1.DaemonSetUpdateStrategy',
  {
    type: field(
      1,
      named('apps/v1.DaemonSetUpdateStrategyType', documentedEnum('RollingUpdate', 'OnDelete')),
      {
        doc: 'RollingUpdate, the default, replaces pods node by node; OnDelete only those that somebody deletes.',
      },
    ),
    rollingUpdate: field(2, optional(RollingUpdateDaemonSet), { doc: 'Only with RollingUpdate.' }),
  },
  {
    doc: 'How old pods are replaced by new ones.',
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
      doc: 'Which pods are its own. It must select the labels of the template, and never changes.',
    }),
    template: field(2, PodTemplateSpec, {
      required: true,
      doc: 'What the pods look like. One runs on each node that the template allows.',
    }),
    updateStrategy: field(3, DaemonSetUpdateStrategy, {
      doc: 'How pods are replaced when the template changes.',
    }),
    minReadySeconds: field(4, int32, {
      doc: 'How long a new pod must be ready without a container ending before it counts as available.',
    }),
    revisionHistoryLimit: field(6, optional(int32), {
      doc: 'How many ControllerRevisions of the past are kept to go back to. 10 by default.',
    }),
  },
  {
    doc: 'What a DaemonSet is to be.',
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
      doc: 'What the condition is about.',
    }),
    status: field(2, conditionStatus, { required: true, doc: 'Whether it holds.' }),
    lastTransitionTime: field(3, time, { doc: 'When that last changed.' }),
    reason: field(4, string, { doc: 'Why, in one word for machines.' }),
    message: field(5, string, { doc: 'Why, in a sentence for people.' }),
  },
  { doc: 'How a DaemonSet is getting on, in one respect.' },
);

const DaemonSetStatus = struct(
  'apps/v1.DaemonSetStatus',
  {
    currentNumberScheduled: field(1, int32, {
      required: true,
      doc: 'How many nodes run the pod and should.',
    }),
    numberMisscheduled: field(2, int32, { required: true, doc: 'How many nodes run it and should not.' }),
    desiredNumberScheduled: field(3, int32, { required: true, doc: 'How many nodes should run it.' }),
    numberReady: field(4, int32, { required: true, doc: 'On how many nodes it is ready.' }),
    observedGeneration: field(5, int64, { doc: 'The generation that the controller has seen.' }),
    updatedNumberScheduled: field(6, int32, { doc: 'How many nodes run the newest version of it.' }),
    numberAvailable: field(7, int32, { doc: 'On how many nodes it has been ready for `minReadySeconds`.' }),
    numberUnavailable: field(8, int32, { doc: 'On how many nodes it should be available and is not.' }),
    collisionCount: field(9, optional(int32), {
      doc: 'How often the name of a new ControllerRevision was taken. It goes into the next name, and never falls.',
    }),
    conditions: field(
      10,
      list(DaemonSetCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'How it is getting on.' },
    ),
  },
  { doc: 'What has become of a DaemonSet.' },
);

export const DaemonSet = kind(
  'apps/v1.DaemonSet',
  {
    spec: field(2, DaemonSetSpec, { doc: 'What it is to be.' }),
    status: field(3, DaemonSetStatus, { doc: 'What has become of it.' }),
  },
  { doc: 'A pod on every node, or on every node of a kind.' },
);
export type DaemonSet = Infer<typeof DaemonSet>;
