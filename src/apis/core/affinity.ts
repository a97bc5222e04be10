// Affinity and TopologySpreadConstraint: schemas.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { int32, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { NodeSelector, NodeSelectorTerm } from './node-selector.ts';

const PreferredSchedulingTerm = struct(
  'core/v1.PreferredSchedulingTerm',
  {
    weight: field(1, int32, {
      required: true,
      doc: 'The weight of this preference in the score of a node, 1 to 100.',
    }),
    preference: field(2, NodeSelectorTerm, {
      required: true,
      doc: 'The node selector term that matching nodes satisfy.',
    }),
  },
  { doc: 'A weighted node selector term. An empty term matches every node and adds nothing to its score.' },
);

export const NodeAffinity = struct(
  'core/v1.NodeAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: field(1, optional(NodeSelector), {
      doc: 'Nodes on which the scheduler may place the pod. Later changes of the node do not evict the pod.',
    }),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      list(PreferredSchedulingTerm, { type: 'atomic' }),
      { doc: 'Preferences of the scheduler: nodes with the greatest sum of matching weights come first.' },
    ),
  },
  { doc: 'Node affinity scheduling rules.' },
);
export type NodeAffinity = Infer<typeof NodeAffinity>;

export const PodAffinityTerm = struct(
  'core/v1.PodAffinityTerm',
  {
    labelSelector: field(1, optional(LabelSelector), {
      doc: 'Selects the other pods by label. If absent, it selects none.',
    }),
    namespaces: field(2, list(string, { type: 'atomic' }), {
      doc: 'Namespaces of the other pods, in addition to those that namespaceSelector selects.',
    }),
    topologyKey: field(3, string, {
      required: true,
      doc: 'A node label. Nodes with the same value of this label are in the same topology domain.',
    }),
    namespaceSelector: field(4, optional(LabelSelector), {
      doc: "Selects namespaces of the other pods by label. If it and `namespaces` are absent, the pod's own namespace is used.",
    }),
    matchLabelKeys: field(5, list(string, { type: 'atomic' }), {
      doc: 'Label keys for which the other pods must have the same value as this pod.',
    }),
    mismatchLabelKeys: field(6, list(string, { type: 'atomic' }), {
      doc: 'Label keys for which the other pods must have another value than this pod.',
    }),
  },
  {
    doc: 'A set of pods and the topology domain in which this pod is co-located with them, or kept apart from them.',
  },
);
export type PodAffinityTerm = Infer<typeof PodAffinityTerm>;

const WeightedPodAffinityTerm = struct(
  'core/v1.WeightedPodAffinityTerm',
  {
    weight: field(1, int32, {
      required: true,
      doc: 'The weight of this term in the score of a node, 1 to 100.',
    }),
    podAffinityTerm: field(2, PodAffinityTerm, { required: true, doc: 'The pod affinity term.' }),
  },
  { doc: 'A weighted pod affinity term.' },
);

export const PodAffinity = struct(
  'core/v1.PodAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: field(1, list(PodAffinityTerm, { type: 'atomic' }), {
      doc: 'Terms that a node must satisfy for the pod to be scheduled on it. All terms must hold.',
    }),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      list(WeightedPodAffinityTerm, { type: 'atomic' }),
      { doc: 'Preferences of the scheduler: nodes with the greatest sum of matching weights come first.' },
    ),
  },
  { doc: 'Pod affinity scheduling rules: co-locate this pod with other pods.' },
);
export type PodAffinity = Infer<typeof PodAffinity>;

const PodAntiAffinity = struct(
  'core/v1.PodAntiAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: field(1, list(PodAffinityTerm, { type: 'atomic' }), {
      doc: 'Terms that a node must satisfy for the pod to be scheduled on it. All terms must hold.',
    }),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      list(WeightedPodAffinityTerm, { type: 'atomic' }),
      { doc: 'Preferences of the scheduler: nodes with the smallest sum of violated weights come first.' },
    ),
  },
  { doc: 'Pod anti-affinity scheduling rules: keep this pod away from other pods.' },
);

export const Affinity = struct(
  'core/v1.Affinity',
  {
    nodeAffinity: field(1, optional(NodeAffinity), { doc: 'Node affinity scheduling rules of the pod.' }),
    podAffinity: field(2, optional(PodAffinity), { doc: 'Rules that co-locate the pod with other pods.' }),
    podAntiAffinity: field(3, optional(PodAntiAffinity), {
      doc: 'Rules that keep the pod away from other pods.',
    }),
  },
  { doc: 'The scheduling constraints of a pod.' },
);
export type Affinity = Infer<typeof Affinity>;

const nodeInclusionPolicy = named('core/v1.NodeInclusionPolicy', publishedEnum('Ignore', 'Honor'));

export const TopologySpreadConstraint = struct(
  'core/v1.TopologySpreadConstraint',
  {
    maxSkew: field(1, int32, {
      required: true,
      doc: 'The maximum difference between the number of matching pods in a topology domain and the global minimum. At least 1.',
    }),
    topologyKey: field(2, string, {
      required: true,
      doc: 'A node label. Nodes with the same value of this label are in the same topology domain.',
    }),
    whenUnsatisfiable: field(
      3,
      named('core/v1.UnsatisfiableConstraintAction', publishedEnum('DoNotSchedule', 'ScheduleAnyway')),
      {
        required: true,
        doc: 'What the scheduler does with a pod that violates the constraint: DoNotSchedule leaves it pending, ScheduleAnyway prefers nodes with the lowest skew.',
      },
    ),
    labelSelector: field(4, optional(LabelSelector), { doc: 'Selects the pods that are counted.' }),
    minDomains: field(5, optional(int32), {
      doc: 'The minimum number of eligible topology domains. With fewer domains, the global minimum counts as 0. Defaults to 1; requires DoNotSchedule.',
    }),
    nodeAffinityPolicy: field(6, optional(nodeInclusionPolicy), {
      doc: "Whether only nodes that match the pod's nodeAffinity and nodeSelector are counted: Honor (default) or Ignore.",
    }),
    nodeTaintsPolicy: field(7, optional(nodeInclusionPolicy), {
      doc: 'Whether nodes with taints that the pod does not tolerate are excluded: Honor, or Ignore (default).',
    }),
    matchLabelKeys: field(8, list(string, { type: 'atomic' }), {
      doc: 'Label keys for which counted pods must have the same value as this pod.',
    }),
  },
  { doc: 'How matching pods are spread over topology domains.' },
);
export type TopologySpreadConstraint = Infer<typeof TopologySpreadConstraint>;
