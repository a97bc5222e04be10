// Matches labels against a metav1.LabelSelector.

import type { LabelSelector } from './label-selector.ts';

/** Whether labels meet all requirements of a selector. A selector with an unknown operator matches nothing. */
export function labelSelectorMatches(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  const has = (key: string) => Object.hasOwn(labels, key);
  return (
    Object.entries(matchLabels).every(([key, value]) => has(key) && labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      switch (operator) {
        case 'In':
          return has(key) && values.includes(labels[key]!);
        case 'NotIn':
          return !has(key) || !values.includes(labels[key]!);
        case 'Exists':
          return has(key);
        case 'DoesNotExist':
          return !has(key);
        default:
          return false;
      }
    })
  );
}

/** Whether a selector has no requirements and thus matches everything. An absent selector matches nothing instead. */
export function isEmptyLabelSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return matchExpressions.length === 0 && Object.keys(matchLabels).length === 0;
}
