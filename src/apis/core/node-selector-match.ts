// NodeSelector: whether it matches a node (upstream: component-helpers/scheduling/corev1/nodeaffinity).
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from './node-selector.ts';

export interface SelectableNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A node matches if any of the terms matches it. */
export const nodeSelectorMatches = (
  { nodeSelectorTerms }: Pick<NodeSelector, 'nodeSelectorTerms'>,
  node: SelectableNode,
) => (nodeSelectorTerms ?? []).some((term) => termMatches(term, node));

/** All requirements must match; a term without requirements matches no node. */
function termMatches(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  { name, labels }: SelectableNode,
): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) => requirementMatches(requirement, labels[requirement.key])) &&
    matchFields.every(
      (requirement) => requirement.key === 'metadata.name' && requirementMatches(requirement, name),
    )
  );
}

const integerPattern = /^-?[0-9]+$/;

/** `value` is undefined if the node does not have the label. */
function requirementMatches(
  { operator, values = [] }: NodeSelectorRequirement,
  value: string | undefined,
): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt': {
      const [limit = ''] = values;
      if (value === undefined || !integerPattern.test(value) || !integerPattern.test(limit)) return false;
      return operator === 'Gt' ? BigInt(value) > BigInt(limit) : BigInt(value) < BigInt(limit);
    }
    default:
      return false;
  }
}
