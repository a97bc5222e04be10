// ReplicaSet: schema.
import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';

export const ReplicaSetSpec = struct(
  'apps/v1.ReplicaSetSpec',
  {
    replicas: field(1, optional(int32), { doc: 'How many pods there are to be. 1 by default; 0 is none.' }),
    minReadySeconds: field(4, int32, {
      doc: 'How long a new pod must be ready without a container ending before it counts as available.',
    }),
    selector: field(2, optional(LabelSelector), {
      required: true,
      doc: 'Which pods are its own. It must select the labels of the template, and never changes.',
    }),
    template: field(3, PodTemplateSpec, { doc: 'What new pods look like.' }),
  },
  {
    doc: 'What a ReplicaSet is to be.',
    defaults(spec) {
      spec.replicas ??= 1;
    },
  },
);
export type ReplicaSetSpec = Infer<typeof ReplicaSetSpec>;

const ReplicaSetCondition = struct(
  'apps/v1.ReplicaSetCondition',
  {
    type: field(1, named('apps/v1.ReplicaSetConditionType', oneOf('ReplicaFailure')), {
      required: true,
      doc: 'What the condition is about.',
    }),
    status: field(2, conditionStatus, { required: true, doc: 'Whether it holds.' }),
    lastTransitionTime: field(3, time, { doc: 'When that last changed.' }),
    reason: field(4, string, { doc: 'Why, in one word for machines.' }),
    message: field(5, string, { doc: 'Why, in a sentence for people.' }),
  },
  { doc: 'How a ReplicaSet is getting on, in one respect.' },
);

const ReplicaSetStatus = struct(
  'apps/v1.ReplicaSetStatus',
  {
    replicas: field(1, int32, {
      required: true,
      doc: 'How many of its pods there are that are not ending.',
    }),
    fullyLabeledReplicas: field(2, int32, {
      doc: 'How many of them have all labels of the template.',
    }),
    readyReplicas: field(4, int32, { doc: 'How many of them are ready.' }),
    availableReplicas: field(5, int32, { doc: 'How many have been ready for `minReadySeconds`.' }),
    terminatingReplicas: field(7, optional(int32), { doc: 'How many of its pods are ending.' }),
    observedGeneration: field(3, int64, { doc: 'The generation that the controller has seen.' }),
    conditions: field(
      6,
      list(ReplicaSetCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'How it is getting on.' },
    ),
  },
  { doc: 'What has become of a ReplicaSet.' },
);

export const ReplicaSet = kind(
  'apps/v1.ReplicaSet',
  {
    spec: field(2, ReplicaSetSpec, { doc: 'What it is to be.' }),
    status: field(3, ReplicaSetStatus, { doc: 'What has become of it.' }),
  },
  { doc: 'A number of like pods. Deployments make them, one for each version of their template.' },
);
export type ReplicaSet = Infer<typeof ReplicaSet>;
