import type { LabelSelector } from './label-selector.ts';

/** Whether labels meet all conditions of a selector. One that cannot be understood selects nothing. */
export function selects(
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

/** Whether a selector selects everything; an absent one, in contrast, selects nothing. */
export function selectsAll({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return matchExpressions.length === 0 && Object.keys(matchLabels).length === 0;
}
