// Label selectors and node selectors, compiled for repeated evaluation.

import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { labelMatcher } from '../../selectors/label-matcher.ts';
import type { LabelRequirement } from '../../selectors/label-selector.ts';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from './node-selector.ts';
import type { PodSpec } from './pod-spec.ts';

export type LabelMap = ReadonlyMap<string, string>;
export type LabelMatcher = (labels: LabelMap) => boolean;

/** What node selectors select by. */
export interface LabelledNode {
  readonly name: string;
  readonly labels: LabelMap;
}
export type NodeMatcher = (node: LabelledNode) => boolean;

const operators: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: 'absent',
  Gt: 'gt',
  Lt: 'lt',
};

/** The requirements of a selector; undefined if it matches nothing, as an absent one does. */
export function selectorRequirements(selector: LabelSelector | undefined): LabelRequirement[] | undefined {
  if (!selector) return undefined;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const requirements = Object.entries(matchLabels).map(
    ([key, value]): LabelRequirement => ({ key, operator: 'in', values: [value] }),
  );
  const expressions = toRequirements(matchExpressions);
  return expressions && [...requirements, ...expressions];
}

/** Compiles requirements; undefined matches nothing. */
export const compileRequirements = (requirements: readonly LabelRequirement[] | undefined): LabelMatcher =>
  requirements ? labelMatcher(requirements) : () => false;

export const compileSelector = (selector: LabelSelector | undefined): LabelMatcher =>
  compileRequirements(selectorRequirements(selector));

function toRequirements(
  expressions: readonly Pick<NodeSelectorRequirement, 'key' | 'operator' | 'values'>[],
): LabelRequirement[] | undefined {
  const requirements: LabelRequirement[] = [];
  for (const { key, operator, values = [] } of expressions) {
    const known = operators[operator];
    if (!known) return undefined;
    requirements.push({ key, operator: known, values });
  }
  return requirements;
}

/** A term without requirements matches no node. */
export function compileNodeSelectorTerm({
  matchExpressions = [],
  matchFields = [],
}: NodeSelectorTerm): NodeMatcher {
  if (matchExpressions.length === 0 && matchFields.length === 0) return () => false;
  const matchesLabels = compileRequirements(toRequirements(matchExpressions));
  const matchesFields = compileRequirements(toRequirements(matchFields));
  // The only field is the name.
  return ({ name, labels }) => matchesLabels(labels) && matchesFields(new Map([['metadata.name', name]]));
}

export function compileNodeSelector({ nodeSelectorTerms = [] }: NodeSelector): NodeMatcher {
  const terms = nodeSelectorTerms.map(compileNodeSelectorTerm);
  return (node) => terms.some((matches) => matches(node));
}

/** `nodeSelector` and the required node affinity of a pod; undefined if it has neither. */
export function compileRequiredNodeAffinity({ nodeSelector, affinity }: PodSpec): NodeMatcher | undefined {
  const hasSelector = Object.keys(nodeSelector ?? {}).length > 0;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!hasSelector && !required) return undefined;
  const matchesSelector = compileSelector({ matchLabels: nodeSelector ?? {} });
  const matchesAffinity = required ? compileNodeSelector(required) : () => true;
  return (node) => matchesSelector(node.labels) && matchesAffinity(node);
}
