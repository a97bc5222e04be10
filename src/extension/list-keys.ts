import { extensionsOf } from '../api/apiextensions/json-schema.ts';
import type { ValueTerms } from '../api/apiextensions/patterns.ts';
import { shownValue } from '../api/apiextensions/value-validation.ts';
import { isObject, type JsonObject, type JsonValue, userKeyed } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { duplicate, type FieldError } from '../errors/field-error.ts';
import type { Part } from './parts.ts';

/** Elements of a list that are to be told apart, and cannot be. */
export function repeatedElements({ value, schema, path }: Part, terms: ValueTerms): FieldError[] {
  if (!Array.isArray(value)) return [];
  const { listType, listMapKeys } = extensionsOf(schema, terms);
  if (listType !== 'set' && listType !== 'map') return [];
  return repeated(value, listType, listMapKeys, path);
}

function repeated(
  items: readonly JsonValue[],
  type: 'set' | 'map',
  keys: readonly string[],
  path: string,
): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  items.forEach((item, index) => {
    const name = type === 'map' ? keysOf(item, keys) : item;
    if (name === undefined) return;
    const text = stringifyJson(name);
    if (seen.has(text)) errors.push(duplicate(`${path}[${index}]`, shownValue(name)));
    seen.add(text);
  });
  return errors;
}

function keysOf(item: JsonValue, keys: readonly string[]): JsonObject | undefined {
  if (!isObject(item)) return undefined;
  const found = userKeyed();
  for (const key of keys) if (Object.hasOwn(item, key)) found[key] = item[key]!;
  return found;
}
