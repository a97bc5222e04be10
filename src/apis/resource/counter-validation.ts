// ResourceSlice (DRA): validation of the counters of partitionable devices: shared counters, and those that a device
// consumes.

import { addErrors, duplicate, type FieldError, invalid, required } from '../../errors/field-error.ts';
import { validateLabelName } from './device-validation.ts';
import type { CounterSet, DeviceCounterConsumption } from './resourceslice.ts';

/** The maximum number of counters of all sets, and of those that one device consumes. */
const maxCounters = 32;

const countCounters = (sets: readonly { readonly counters?: object }[]) =>
  sets.reduce((sum, { counters }) => sum + Object.keys(counters ?? {}).length, 0);

/** Validates spec.sharedCounters. */
export function validateCounterSets(sets: readonly CounterSet[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { name, counters = {} }] of sets.entries()) {
    const fieldPath = `${path}[${i}]`;
    addErrors(
      errors,
      name === '' ? [required(`${fieldPath}.name`)] : validateLabelName(name, `${fieldPath}.name`),
    );
    addErrors(errors, validateCounters(counters, `${fieldPath}.counters`));
    if (seen.has(name)) errors.push(duplicate(`${fieldPath}.name`, name));
    seen.add(name);
  }
  const count = countCounters(sets);
  if (count > maxCounters) {
    errors.push(invalid(path, count, `the total number of shared counters must not exceed ${maxCounters}`));
  }
  return errors;
}

function validateCounters(counters: object, path: string): FieldError[] {
  const names = Object.keys(counters).sort();
  if (names.length === 0) return [required(path)];
  return names.flatMap((name) => validateLabelName(name, `${path}[${name}]`));
}

/** Validates consumesCounters of the device at `path`. */
export function validateConsumption(
  consumed: readonly DeviceCounterConsumption[],
  path: string,
  sets: readonly CounterSet[],
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { counterSet, counters = {} }] of consumed.entries()) {
    const fieldPath = `${path}.consumesCounters[${i}]`;
    if (counterSet === '') errors.push(required(`${fieldPath}.counterSet`));
    addErrors(errors, validateCounters(counters, `${fieldPath}.counters`));
    const referencedSet = sets.find(({ name }) => name === counterSet);
    if (referencedSet) {
      addErrors(errors, validateCounterNames(Object.keys(counters), `${fieldPath}.counters`, referencedSet));
    } else {
      const detail = 'must reference a counterSet defined in the ResourceSlice sharedCounters';
      errors.push(invalid(`${fieldPath}.counterSet`, counterSet, detail));
    }
    if (seen.has(counterSet)) errors.push(duplicate(`${fieldPath}.counterSet`, counterSet));
    seen.add(counterSet);
  }
  const count = countCounters(consumed);
  if (count > maxCounters) {
    errors.push(invalid(path, count, `the total number of counters must not exceed ${maxCounters}`));
  }
  return errors;
}

/** A device can only consume counters that the set has. */
function validateCounterNames(
  names: readonly string[],
  path: string,
  { counters = {} }: CounterSet,
): FieldError[] {
  const detail = 'must reference a counter defined in the ResourceSlice sharedCounters';
  const unknownNames = names.filter((name) => !Object.hasOwn(counters, name)).sort();
  return unknownNames.map((name) => invalid(path, name, detail));
}
