// Audit: removes managedFields from audited objects (omitManagedFields of the policy).
import { isObject, type JsonValue } from '../codec/json/json-value.ts';
import { parseCompactJson } from '../codec/json/parse-compact.ts';
import { stringifyJson } from '../codec/json/stringify.ts';

/** Removes managedFields from the JSON of an object, a list or a Table. */
export function withoutManagedFields(json: string): string {
  if (!json.includes('"managedFields"')) return json;
  const { value } = parseCompactJson(Buffer.from(json));
  if (!isObject(value)) return json;
  removeManagedFields(value);
  if (Array.isArray(value.items)) value.items.forEach(removeManagedFields);
  if (Array.isArray(value.rows)) {
    for (const row of value.rows) if (isObject(row)) removeManagedFields(row.object);
  }
  return stringifyJson(value);
}

function removeManagedFields(value: JsonValue | undefined): void {
  if (isObject(value) && isObject(value.metadata)) delete value.metadata.managedFields;
}
