// Custom resources: uniqueness of list-type set and map.
import { type CostBudget, isEnough } from '../apis/apiextensions/cost-budget.ts';
import { extensionsOf } from '../apis/apiextensions/json-schema.ts';
import type { ValueTerms } from '../apis/apiextensions/patterns.ts';
import type { Work } from '../base/cooperative-yield.ts';
import { isObject, type JsonObject, type JsonValue, nullPrototypeObject } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { duplicate, type FieldError } from '../errors/field-error.ts';
import { formatInvalidValue } from '../errors/format-invalid-value.ts';
import type { Part } from './parts.ts';

/** Duplicate items of a set or map list. */
export function* repeatedElements(
  { value, schema, path }: Part,
  terms: ValueTerms,
  effort: CostBudget,
): Work<FieldError[]> {
  if (!Array.isArray(value)) return [];
  const { listType, listMapKeys } = extensionsOf(schema, terms);
  if (listType !== 'set' && listType !== 'map') return [];
  return yield* repeated(value, listType, listMapKeys, path, effort);
}

function* repeated(
  items: readonly JsonValue[],
  type: 'set' | 'map',
  keys: readonly string[],
  path: string,
  effort: CostBudget,
): Work<FieldError[]> {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    const turn = effort.spend();
    if (turn) yield turn;
    if (isEnough(errors)) break;
    const name = type === 'map' ? keysOf(item, keys) : item;
    if (name === undefined) continue;
    const text = stringifyJson(name);
    if (seen.has(text)) errors.push(duplicate(`${path}[${index}]`, formatInvalidValue(name)));
    seen.add(text);
  }
  return errors;
}

function keysOf(item: JsonValue, keys: readonly string[]): JsonObject | undefined {
  if (!isObject(item)) return undefined;
  const found = nullPrototypeObject();
  for (const key of keys) if (Object.hasOwn(item, key)) found[key] = item[key]!;
  return found;
}
