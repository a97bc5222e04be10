import { type FieldError, forbidden, invalid } from '../../errors/field-error.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import type { KindContext } from '../context.ts';
import { containersTogether, isForWholePods } from './pod-resources.ts';
import type { PodSpec } from './pod-spec.ts';
import { quantityOf } from './resource-list.ts';
import { validateResourceRequirements } from './resource-requirements-validation.ts';

/** What is wrong with what a pod as a whole asks for. */
export function validatePodResources(spec: PodSpec, path: string, context: KindContext): FieldError[] {
  const { resources } = spec;
  if (!resources) return [];
  const at = `${path}.resources`;
  if (spec.os?.name === 'windows') return [forbidden(at, 'may not be set for a windows pod')];
  const errors = validateResourceRequirements({ ...resources, claims: [] }, new Set(), at, context);
  for (const [name, total] of containersTogether(spec, 'requests')) {
    const text = resources.requests?.[name];
    if (text === undefined || !isForWholePods(name) || compareQuantities(quantityOf(text), total) >= 0)
      continue;
    const why = `must be greater than or equal to aggregate container requests of ${total.text}`;
    errors.push(invalid(`${at}.requests[${name}]`, text, why));
  }
  return errors;
}
