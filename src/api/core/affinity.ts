import { list } from '../../schema/collections.ts';
import { int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { NodeSelector, NodeSelectorTerm } from './node-selector.ts';

export const PreferredSchedulingTerm = struct('core/v1.PreferredSchedulingTerm', {
  weight: field(1, int32, { required: true }),
  preference: field(2, NodeSelectorTerm, { required: true }),
});
export type PreferredSchedulingTerm = Infer<typeof PreferredSchedulingTerm>;

export const NodeAffinity = struct('core/v1.NodeAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: field(1, optional(NodeSelector)),
  preferredDuringSchedulingIgnoredDuringExecution: field(
    2,
    list(PreferredSchedulingTerm, { type: 'atomic' }),
  ),
});
export type NodeAffinity = Infer<typeof NodeAffinity>;

export const PodAffinityTerm = struct('core/v1.PodAffinityTerm', {
  labelSelector: field(1, optional(LabelSelector)),
  namespaces: field(2, list(string, { type: 'atomic' })),
  topologyKey: field(3, string, { required: true }),
  namespaceSelector: field(4, optional(LabelSelector)),
  matchLabelKeys: field(5, list(string, { type: 'atomic' })),
  mismatchLabelKeys: field(6, list(string, { type: 'atomic' })),
});
export type PodAffinityTerm = Infer<typeof PodAffinityTerm>;

export const WeightedPodAffinityTerm = struct('core/v1.WeightedPodAffinityTerm', {
  weight: field(1, int32, { required: true }),
  podAffinityTerm: field(2, PodAffinityTerm, { required: true }),
});
export type WeightedPodAffinityTerm = Infer<typeof WeightedPodAffinityTerm>;

export const PodAffinity = struct('core/v1.PodAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: field(1, list(PodAffinityTerm, { type: 'atomic' })),
  preferredDuringSchedulingIgnoredDuringExecution: field(
    2,
    list(WeightedPodAffinityTerm, { type: 'atomic' }),
  ),
});
export type PodAffinity = Infer<typeof PodAffinity>;

export const PodAntiAffinity = struct('core/v1.PodAntiAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: field(1, list(PodAffinityTerm, { type: 'atomic' })),
  preferredDuringSchedulingIgnoredDuringExecution: field(
    2,
    list(WeightedPodAffinityTerm, { type: 'atomic' }),
  ),
});
export type PodAntiAffinity = Infer<typeof PodAntiAffinity>;

export const Affinity = struct('core/v1.Affinity', {
  nodeAffinity: field(1, optional(NodeAffinity)),
  podAffinity: field(2, optional(PodAffinity)),
  podAntiAffinity: field(3, optional(PodAntiAffinity)),
});
export type Affinity = Infer<typeof Affinity>;

export const nodeInclusionPolicy = named('core/v1.NodeInclusionPolicy', oneOf('Ignore', 'Honor'));

export const TopologySpreadConstraint = struct('core/v1.TopologySpreadConstraint', {
  maxSkew: field(1, int32, { required: true }),
  topologyKey: field(2, string, { required: true }),
  whenUnsatisfiable: field(
    3,
    named('core/v1.UnsatisfiableConstraintAction', oneOf('DoNotSchedule', 'ScheduleAnyway')),
    { required: true },
  ),
  labelSelector: field(4, optional(LabelSelector)),
  minDomains: field(5, optional(int32)),
  nodeAffinityPolicy: field(6, optional(nodeInclusionPolicy)),
  nodeTaintsPolicy: field(7, optional(nodeInclusionPolicy)),
  matchLabelKeys: field(8, list(string, { type: 'atomic' })),
});
export type TopologySpreadConstraint = Infer<typeof TopologySpreadConstraint>;
