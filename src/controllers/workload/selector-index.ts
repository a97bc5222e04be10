// Index of owners by selector: finds the owners whose selector may match a child, without reading all owners of the namespace.
import type { LabelSelector } from '../../kind/meta/label-selector.ts';

/** The index value of selectors without matchLabels. */
const anyLabel = '';

/**
 * An index value of a selector: one of its matchLabels, which every child that it matches must have. An empty or absent
 * selector matches no child.
 */
export function selectorIndexValues(namespace: string, selector: LabelSelector | undefined): string[] {
  if (!selector) return [];
  const [label] = Object.entries(selector.matchLabels ?? {});
  if (label) return [indexValue(namespace, label)];
  return (selector.matchExpressions ?? []).length > 0 ? [indexValue(namespace, anyLabel)] : [];
}

/** The index values of all selectors that may match these labels. */
export function selectorIndexValuesOfLabels(
  namespace: string,
  labels: ReadonlyMap<string, string>,
): string[] {
  return [indexValue(namespace, anyLabel), ...labelIndexValues(namespace, labels)];
}

/** An index value for each label. */
export function labelIndexValues(namespace: string, labels: ReadonlyMap<string, string>): string[] {
  return Array.from(labels, (label) => indexValue(namespace, label));
}

const indexValue = (namespace: string, label: readonly string[] | string) =>
  JSON.stringify([namespace, label]);
