// A pod affinity or anti-affinity term, compiled: which pods it selects, and in which topology.
import type { Affinity, PodAffinityTerm } from '../../apis/core/affinity.ts';
import { compileSelector, type LabelMap, type LabelMatcher } from '../../apis/core/compiled-selectors.ts';

export interface AffinityTerm {
  /** Equal terms have equal keys. */
  readonly key: string;
  readonly topologyKey: string;
  readonly namespaces: ReadonlySet<string>;
  /** Selects further namespaces by label; undefined selects none. */
  readonly selectsNamespace: LabelMatcher | undefined;
  readonly selectsPod: LabelMatcher;
}

/** A term with the amount that each pod it selects adds to the score of a node. */
export interface WeightedTerm {
  readonly term: AffinityTerm;
  /** Negative for anti-affinity. */
  readonly weight: number;
}

export interface AffinityTerms {
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  /** Preferred affinity, and anti-affinity with negative weights. */
  readonly preferred: readonly WeightedTerm[];
}

const noTerms: AffinityTerms = { requiredAffinity: [], requiredAntiAffinity: [], preferred: [] };

export function affinityTerms(namespace: string, affinity: Affinity | undefined): AffinityTerms {
  const { podAffinity, podAntiAffinity } = affinity ?? {};
  if (!podAffinity && !podAntiAffinity) return noTerms;
  const compile = (term: PodAffinityTerm) => compileTerm(namespace, term);
  const weighted = (list: typeof podAffinity, sign: 1 | -1) =>
    (list?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, podAffinityTerm }) => ({
      term: compile(podAffinityTerm),
      weight: sign * weight,
    }));
  return {
    requiredAffinity: (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(compile),
    requiredAntiAffinity: (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(
      compile,
    ),
    preferred: [...weighted(podAffinity, 1), ...weighted(podAntiAffinity, -1)],
  };
}

/** The server has already merged matchLabelKeys and mismatchLabelKeys into labelSelector. */
function compileTerm(podNamespace: string, term: PodAffinityTerm): AffinityTerm {
  const { topologyKey, labelSelector, namespaces: listed = [], namespaceSelector } = term;
  const namespaces = listed.length === 0 && !namespaceSelector ? [podNamespace] : [...listed].sort();
  return {
    key: JSON.stringify([topologyKey, namespaces, namespaceSelector, labelSelector]),
    topologyKey,
    namespaces: new Set(namespaces),
    selectsNamespace: namespaceSelector && compileSelector(namespaceSelector),
    selectsPod: compileSelector(labelSelector),
  };
}

/** LabelMap of namespaces by name. */
export type NamespaceLabels = (namespace: string) => LabelMap;

export function termSelects(
  { namespaces, selectsNamespace, selectsPod }: AffinityTerm,
  { namespace, labels }: { readonly namespace: string; readonly labels: LabelMap },
  namespaceLabels: NamespaceLabels,
): boolean {
  const isInNamespace =
    namespaces.has(namespace) || (selectsNamespace?.(namespaceLabels(namespace)) ?? false);
  return isInNamespace && selectsPod(labels);
}
