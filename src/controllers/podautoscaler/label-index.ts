// Index values of label selectors in query string format, as the scale subresource has them.
import type { LabelRequirement } from '../../selectors/label-selector.ts';
import { labelIndexValues } from '../workload/selector-index.ts';

/** One of the labels that all objects have that the selector matches, as an index value; undefined if it requires no single value. */
export function requiredLabel(namespace: string, selector: readonly LabelRequirement[]): string | undefined {
  const required = selector.find(({ operator, values }) => operator === 'in' && values.length === 1);
  return required && labelIndexValues(namespace, new Map([[required.key, required.values[0]!]]))[0];
}
