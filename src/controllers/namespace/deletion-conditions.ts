// Conditions of a terminating namespace, with upstream's reasons and messages.
import type { Namespace } from '../../apis/core/namespace.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { setCondition } from '../../kind/meta/set-condition.ts';
import type { RemainingContent } from './remaining-content.ts';

type Condition = NonNullable<Namespace['status']['conditions']>[number];

/** Reason and message of each condition while it is False, in upstream's order. */
const falseReasons = ({
  componentName,
}: Dialect): Record<Condition['type'], [reason: string, message: string]> => ({
  NamespaceDeletionDiscoveryFailure: ['ResourcesDiscovered', 'All resources successfully discovered'],
  NamespaceDeletionGroupVersionParsingFailure: [
    'ParsedGroupVersions',
    `All legacy ${componentName} types successfully parsed`,
  ],
  NamespaceDeletionContentFailure: [
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  NamespaceContentRemaining: ['ContentRemoved', 'All content successfully removed'],
  NamespaceFinalizersRemaining: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
});

/** Returns the current conditions with those of the deletion set: True for what still prevents it, False for the others. */
export function deletionConditions(
  dialect: Dialect,
  now: string,
  current: readonly Condition[],
  remaining: RemainingContent,
): Condition[] {
  const conditions = [...current];
  const problems = trueConditions(remaining);
  for (const [name, [reason, message]] of Object.entries(falseReasons(dialect))) {
    const type = name as Condition['type'];
    const problem = problems.find((condition) => condition.type === type);
    setCondition(conditions, problem ?? { type, status: 'False', reason, message }, now);
  }
  return conditions;
}

/** Upstream's error text for stale discovery documents. */
export const undiscoveredMessage = (versions: readonly string[]) =>
  `unable to retrieve the complete list of server APIs: ${versions
    .map((version) => `${version}: stale GroupVersion discovery: ${version}`)
    .join(', ')}`;

function trueConditions({ resources, failures, undiscovered }: RemainingContent): Condition[] {
  const problems: Condition[] = [];
  const add = (type: Condition['type'], reason: string, message: string) =>
    problems.push({ type, status: 'True', reason, message });
  if (undiscovered.length > 0) {
    add(
      'NamespaceDeletionDiscoveryFailure',
      'DiscoveryFailed',
      `Discovery failed for some groups, ${undiscovered.length} failing: ${undiscoveredMessage(undiscovered)}`,
    );
  }
  if (failures.length > 0) {
    const messages = failures.map(({ message }) => message).sort();
    add(
      'NamespaceDeletionContentFailure',
      'ContentDeletionFailed',
      `Failed to delete all resource types, ${messages.length} remaining: ${messages.join(', ')}`,
    );
  }
  if (resources.length > 0) {
    const counts = resources.map(({ subject: { group, resource }, count }) => {
      return `${resource}.${group} has ${count} resource instances`;
    });
    add(
      'NamespaceContentRemaining',
      'SomeResourcesRemain',
      `Some resources are remaining: ${counts.sort().join(', ')}`,
    );
  }
  const objectsByFinalizer = new Map<string, number>();
  for (const [name, count] of resources.flatMap(({ finalizers }) => [...finalizers])) {
    objectsByFinalizer.set(name, (objectsByFinalizer.get(name) ?? 0) + count);
  }
  if (objectsByFinalizer.size > 0) {
    const counts = [...objectsByFinalizer].map(([name, count]) => `${name} in ${count} resource instances`);
    add(
      'NamespaceFinalizersRemaining',
      'SomeFinalizersRemain',
      `Some content in the namespace has finalizers remaining: ${counts.sort().join(', ')}`,
    );
  }
  return problems;
}
