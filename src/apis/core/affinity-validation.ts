// Affinity and topologySpreadConstraints: validation of node affinity, pod affinity and spread constraints.
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { nameIsLabel, qualifiedName } from '../../schema/names.ts';
import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from './affinity.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from './node-selector-validation.ts';

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Affinity, path: string): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  return [
    ...(nodeAffinity ? validateNodeAffinity(nodeAffinity, `${path}.nodeAffinity`) : []),
    ...(podAffinity ? validatePodAffinity(podAffinity, `${path}.podAffinity`) : []),
    ...(podAntiAffinity ? validatePodAffinity(podAntiAffinity, `${path}.podAntiAffinity`) : []),
  ];
}

function validateNodeAffinity(affinity: NodeAffinity, path: string): FieldError[] {
  const { [requiredTerms]: mandatory, [preferredTerms]: preferred = [] } = affinity;
  return [
    ...(mandatory ? validateNodeSelector(mandatory, `${path}.${requiredTerms}`) : []),
    ...preferred.flatMap(({ weight, preference }, i) => {
      const fieldPath = `${path}.${preferredTerms}[${i}]`;
      return [
        ...validateWeight(weight, `${fieldPath}.weight`),
        ...validateNodeSelectorTerm(preference, `${fieldPath}.preference`, { anyValues: true }),
      ];
    }),
  ];
}

function validateWeight(weight: number, path: string): FieldError[] {
  return weight >= 1 && weight <= 100 ? [] : [invalid(path, weight, 'must be in the range 1-100')];
}

function validatePodAffinity(affinity: PodAffinity, path: string): FieldError[] {
  const { [requiredTerms]: mandatory = [], [preferredTerms]: preferred = [] } = affinity;
  return [
    ...mandatory.flatMap((term, i) => validatePodAffinityTerm(term, `${path}.${requiredTerms}[${i}]`)),
    ...preferred.flatMap(({ weight, podAffinityTerm }, i) => {
      const fieldPath = `${path}.${preferredTerms}[${i}]`;
      return [
        ...validateWeight(weight, `${fieldPath}.weight`),
        ...validatePodAffinityTerm(podAffinityTerm, `${fieldPath}.podAffinityTerm`),
      ];
    }),
  ];
}

function validatePodAffinityTerm(term: PodAffinityTerm, path: string): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey } = term;
  const { matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  const errors = [
    ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    // kube-apiserver reports every namespace at `namespace`, without an index.
    ...namespaces.flatMap((name) =>
      nameIsLabel(name).map((problem) => invalid(`${path}.namespace`, name, problem)),
    ),
    ...validateLabelKeys(matchLabelKeys, labelSelector, `${path}.matchLabelKeys`),
    ...validateLabelKeys(mismatchLabelKeys, labelSelector, `${path}.mismatchLabelKeys`),
  ];
  // On create, the server itself adds each of matchLabelKeys to labelSelector, so only a second requirement is the client's.
  const requirementCounts = countRequirementsByKey(labelSelector);
  for (const [i, key] of matchLabelKeys.entries()) {
    if ((requirementCounts.get(key) ?? 0) < 2) continue;
    // kube-apiserver omits `matchLabelKeys` from this path.
    errors.push(invalid(`${path}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector'));
  }
  const mismatched = new Set(mismatchLabelKeys);
  for (const [i, key] of matchLabelKeys.entries()) {
    if (!mismatched.has(key)) continue;
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
    errors.push(invalid(`${path}.matchLabelKeys[${i}]`, key, detail));
  }
  if (topologyKey === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'));
  return [...errors, ...validateLabelName(topologyKey, `${path}.topologyKey`)];
}

/** Counts the requirements per label key, over matchLabels and matchExpressions. */
function countRequirementsByKey({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector = {}): Map<string, number> {
  const counts = new Map(Object.keys(matchLabels).map((key) => [key, 1]));
  for (const { key } of matchExpressions) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function validateLabelName(name: string, path: string): FieldError[] {
  return qualifiedName(name).map((problem) => invalid(path, name, problem));
}

const selectorMissingMessage = 'must not be specified when labelSelector is not set';

function validateLabelKeys(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  path: string,
): FieldError[] {
  if (keys.length === 0) return [];
  if (!selector) return [forbidden(path, selectorMissingMessage)];
  return keys.flatMap((key, i) => validateLabelName(key, `${path}[${i}]`));
}

export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  path: string,
): FieldError[] {
  const keyOf = (each: TopologySpreadConstraint) => `{${each.topologyKey}, ${each.whenUnsatisfiable}}`;
  const lastIndexByKey = new Map(constraints.map((each, i) => [keyOf(each), i]));
  return constraints.flatMap((constraint, i) => {
    const fieldPath = `${path}[${i}]`;
    const { maxSkew, topologyKey, whenUnsatisfiable, labelSelector, minDomains } = constraint;
    const errors: FieldError[] = [];
    if (maxSkew <= 0) errors.push(invalid(`${fieldPath}.maxSkew`, maxSkew, 'must be greater than zero'));
    if (topologyKey === '') errors.push(required(`${fieldPath}.topologyKey`, 'can not be empty'));
    const actions = ['DoNotSchedule', 'ScheduleAnyway'];
    if (!actions.includes(whenUnsatisfiable)) {
      errors.push(notSupported(`${fieldPath}.whenUnsatisfiable`, whenUnsatisfiable, actions));
    }
    // Of several equal constraints, all but the last are reported.
    if (lastIndexByKey.get(keyOf(constraint)) !== i) {
      errors.push(duplicate(`${fieldPath}.{topologyKey, whenUnsatisfiable}`, keyOf(constraint)));
    }
    if (minDomains !== undefined) {
      if (minDomains <= 0)
        errors.push(invalid(`${fieldPath}.minDomains`, minDomains, 'must be greater than zero'));
      if (whenUnsatisfiable !== 'DoNotSchedule') {
        const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
        errors.push(invalid(`${fieldPath}.minDomains`, minDomains, detail));
      }
    }
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[field];
      if (policy === undefined || policy === 'Honor' || policy === 'Ignore') continue;
      errors.push(notSupported(`${fieldPath}.${field}`, policy, ['Honor', 'Ignore']));
    }
    const keys = constraint.matchLabelKeys ?? [];
    if (keys.length > 0 && !labelSelector)
      errors.push(forbidden(`${fieldPath}.matchLabelKeys`, selectorMissingMessage));
    for (const [j, key] of keys.entries()) {
      errors.push(...validateLabelName(key, `${fieldPath}.matchLabelKeys[${j}]`));
    }
    const requirementCounts = countRequirementsByKey(labelSelector);
    for (const [j, key] of keys.entries()) {
      if (!requirementCounts.has(key)) continue;
      const detail = 'exists in both matchLabelKeys and labelSelector';
      errors.push(invalid(`${fieldPath}.matchLabelKeys[${j}]`, key, detail));
    }
    return [...errors, ...validateLabelSelector(labelSelector, `${fieldPath}.labelSelector`)];
  });
}
