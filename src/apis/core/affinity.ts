// Affinity and TopologySpreadConstraint: schemas.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { documentedEnum, int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { NodeSelector, NodeSelectorTerm } from './node-selector.ts';

const PreferredSchedulingTerm = struct(
  'core/v1.PreferredSchedulingTerm',
  {
    weight: field(1, int32, { required: true, doc: 'How much it counts, 1 to 100.' }),
    preference: field(2, NodeSelectorTerm, { required: true, doc: 'The nodes that are preferred.' }),
  },
  { doc: 'A wish for some nodes. An empty preference selects all nodes and counts for nothing.' },
);

export const NodeAffinity = struct(
  'core/v1.NodeAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: field(1, optional(NodeSelector), {
      doc: 'The nodes that the pod can be put on. It stays if its node changes later.',
    }),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      list(PreferredSchedulingTerm, { type: 'atomic' }),
      { doc: 'The nodes that it would rather be put on: those with the greatest sum of weights.' },
    ),
  },
  { doc: 'Which nodes a pod wants.' },
);
export type NodeAffinity = Infer<typeof NodeAffinity>;

export const PodAffinityTerm = struct(
  'core/v1.PodAffinityTerm',
  {
    labelSelector: field(1, optional(LabelSelector), { doc: 'The other pods. Without one, none.' }),
    namespaces: field(2, list(string, { type: 'atomic' }), {
      doc: 'The namespaces they are looked for in, together with those that namespaceSelector selects.',
    }),
    topologyKey: field(3, string, {
      required: true,
      doc: 'A label of nodes: those with the same value of it are the same place.',
    }),
    namespaceSelector: field(4, optional(LabelSelector), {
      doc: "Namespaces by label. Without it and without `namespaces`, the pod's own.",
    }),
    matchLabelKeys: field(5, list(string, { type: 'atomic' }), {
      doc: "Labels of which the other pods must have the pod's own value.",
    }),
    mismatchLabelKeys: field(6, list(string, { type: 'atomic' }), {
      doc: "Labels of which the other pods must not have the pod's own value.",
    }),
  },
  { doc: 'Other pods, and what it is to be at the same place as them.' },
);
export type PodAffinityTerm = Infer<typeof PodAffinityTerm>;

const WeightedPodAffinityTerm = struct(
  'core/v1.WeightedPodAffinityTerm',
  {
    weight: field(1, int32, { required: true, doc: 'How much it counts, 1 to 100.' }),
    podAffinityTerm: field(2, PodAffinityTerm, { required: true, doc: 'The other pods.' }),
  },
  { doc: 'A wish to be near to, or far from, other pods.' },
);

export const PodAffinity = struct(
  'core/v1.PodAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: field(1, list(PodAffinityTerm, { type: 'atomic' }), {
      doc: 'Pods that must be at the same place when this one is put there; all terms must hold.',
    }),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      list(WeightedPodAffinityTerm, { type: 'atomic' }),
      { doc: 'Pods that it would rather be at the same place with.' },
    ),
  },
  { doc: 'Which pods a pod wants near.' },
);
export type PodAffinity = Infer<typeof PodAffinity>;

const PodAntiAffinity = struct(
  'core/v1.PodAntiAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: field(1, list(PodAffinityTerm, { type: 'atomic' }), {
      doc: 'Pods that must not be at the same place when this one is put there; all terms must hold.',
    }),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      list(WeightedPodAffinityTerm, { type: 'atomic' }),
      { doc: 'Pods that it would rather not be at the same place with.' },
    ),
  },
  { doc: 'Which pods a pod avoids.' },
);

export const Affinity = struct(
  'core/v1.Affinity',
  {
    nodeAffinity: field(1, optional(NodeAffinity), { doc: 'Which nodes the pod wants.' }),
    podAffinity: field(2, optional(PodAffinity), { doc: 'Which pods it wants near.' }),
    podAntiAffinity: field(3, optional(PodAntiAffinity), { doc: 'Which pods it avoids.' }),
  },
  { doc: 'Where a pod wants to be.' },
);
export type Affinity = Infer<typeof Affinity>;

const nodeInclusionPolicy = named('core/v1.NodeInclusionPolicy', documentedEnum('Ignore', 'Honor'));

export const TopologySpreadConstraint = struct(
  'core/v1.TopologySpreadConstraint',
  {
    maxSkew: field(1, int32, {
      required: true,
      doc: 'By how many pods a place may be ahead of the one with the fewest. At least 1.',
    }),
    topologyKey: field(2, string, {
      required: true,
      doc: 'A label of nodes: those with the same value of it are the same place.',
    }),
    whenUnsatisfiable: field(
      3,
      named('core/v1.UnsatisfiableConstraintAction', documentedEnum('DoNotSchedule', 'ScheduleAnyway')),
      { required: true, doc: 'Whether a pod that would break it waits, or is put where it breaks it least.' },
    ),
    labelSelector: field(4, optional(LabelSelector), { doc: 'The pods that are counted.' }),
    minDomains: field(5, optional(int32), {
      doc: 'With fewer places than this, the fewest counts as 0. 1 by default; needs DoNotSchedule.',
    }),
    nodeAffinityPolicy: field(6, optional(nodeInclusionPolicy), {
      doc: 'Whether only nodes that the pod could be put on count: Honor, the default, or Ignore.',
    }),
    nodeTaintsPolicy: field(7, optional(nodeInclusionPolicy), {
      doc: 'Whether nodes with taints the pod does not put up with are left out: Honor, or Ignore, the default.',
    }),
    matchLabelKeys: field(8, list(string, { type: 'atomic' }), {
      doc: "Labels of which counted pods must have the pod's own value.",
    }),
  },
  { doc: 'How evenly pods are spread over places.' },
);
export type TopologySpreadConstraint = Infer<typeof TopologySpreadConstraint>;
