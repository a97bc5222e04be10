// Custom resources: the items of a list with list-type set are unique, and with list-type map their keys are.
import { type CostBudget, hasMaxErrors } from '../apis/apiextensions/cost-budget.ts';
import { extensionsOf } from '../apis/apiextensions/json-schema.ts';
import type { ValueValidationOptions } from '../apis/apiextensions/patterns.ts';
import type { CooperativeTask } from '../base/cooperative-yield.ts';
import { isObject, type JsonObject, type JsonValue, nullPrototypeObject } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { duplicate, type FieldError } from '../errors/field-error.ts';
import { formatInvalidValue } from '../errors/format-invalid-value.ts';
import type { ExtensionValue } from './extension-values.ts';

export function* duplicateItemErrors(
  { value, schema, path }: ExtensionValue,
  options: ValueValidationOptions,
  budget: CostBudget,
): CooperativeTask<FieldError[]> {
  if (!Array.isArray(value)) return [];
  const { listType, listMapKeys } = extensionsOf(schema, options);
  if (listType !== 'set' && listType !== 'map') return [];
  return yield* findDuplicates(value, listType, listMapKeys, path, budget);
}

function* findDuplicates(
  items: readonly JsonValue[],
  type: 'set' | 'map',
  keys: readonly string[],
  path: string,
  budget: CostBudget,
): CooperativeTask<FieldError[]> {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    const yielding = budget.spend();
    if (yielding) yield yielding;
    if (hasMaxErrors(errors)) break;
    const identity = type === 'map' ? mapKeysOf(item, keys) : item;
    if (identity === undefined) continue;
    const text = stringifyJson(identity);
    if (seen.has(text)) errors.push(duplicate(`${path}[${index}]`, formatInvalidValue(identity)));
    seen.add(text);
  }
  return errors;
}

/** The map keys that an item has, with their values; undefined for an item that is no object. */
function mapKeysOf(item: JsonValue, keys: readonly string[]): JsonObject | undefined {
  if (!isObject(item)) return undefined;
  const present = nullPrototypeObject();
  for (const key of keys) if (Object.hasOwn(item, key)) present[key] = item[key]!;
  return present;
}
