// Affinity and topologySpreadConstraints: validation of node affinity, pod affinity and spread constraints.
import {
  addErrors,
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
        ...validateNodeSelectorTerm(preference, `${fieldPath}.preference`, { allowAnyValue: true }),
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
  // On create, the server itself adds each of matchLabelKeys to labelSelector, so only a second requirement is the
  // client's.
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
  const lastIndexByKey = new Map(constraints.map((constraint, i) => [spreadKey(constraint), i]));
  return constraints.flatMap((constraint, i) => {
    const isLastOfItsKey = lastIndexByKey.get(spreadKey(constraint)) === i;
    return validateSpreadConstraint(constraint, `${path}[${i}]`, { isLastOfItsKey });
  });
}

/** The fields by which constraints of a pod are unique, as the error message prints them. */
const spreadKey = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint) =>
  `{${topologyKey}, ${whenUnsatisfiable}}`;

function validateSpreadConstraint(
  constraint: TopologySpreadConstraint,
  path: string,
  { isLastOfItsKey }: { isLastOfItsKey: boolean },
): FieldError[] {
  const { maxSkew, topologyKey, whenUnsatisfiable, labelSelector, minDomains } = constraint;
  const errors: FieldError[] = [];
  if (maxSkew <= 0) errors.push(invalid(`${path}.maxSkew`, maxSkew, 'must be greater than zero'));
  if (topologyKey === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'));
  const actions = ['DoNotSchedule', 'ScheduleAnyway'];
  if (!actions.includes(whenUnsatisfiable)) {
    errors.push(notSupported(`${path}.whenUnsatisfiable`, whenUnsatisfiable, actions));
  }
  // Of several equal constraints, all but the last are reported.
  if (!isLastOfItsKey) {
    errors.push(duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, spreadKey(constraint)));
  }
  if (minDomains !== undefined) {
    if (minDomains <= 0) errors.push(invalid(`${path}.minDomains`, minDomains, 'must be greater than zero'));
    if (whenUnsatisfiable !== 'DoNotSchedule') {
      const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
      errors.push(invalid(`${path}.minDomains`, minDomains, detail));
    }
  }
  for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
    const policy = constraint[field];
    if (policy === undefined || policy === 'Honor' || policy === 'Ignore') continue;
    errors.push(notSupported(`${path}.${field}`, policy, ['Honor', 'Ignore']));
  }
  return [
    ...errors,
    ...validateSpreadLabelKeys(constraint.matchLabelKeys ?? [], labelSelector, `${path}.matchLabelKeys`),
    ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
  ];
}

/** Unlike those of a pod affinity term, the keys are validated even without a labelSelector. */
function validateSpreadLabelKeys(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (keys.length > 0 && !selector) errors.push(forbidden(path, selectorMissingMessage));
  for (const [i, key] of keys.entries()) addErrors(errors, validateLabelName(key, `${path}[${i}]`));
  const requirementCounts = countRequirementsByKey(selector);
  for (const [i, key] of keys.entries()) {
    if (!requirementCounts.has(key)) continue;
    errors.push(invalid(`${path}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector'));
  }
  return errors;
}
