// Reads fields of an API server's JSON responses without trusting their types.
import type { JsonValue } from '../../codec/json/json-value.ts';

/** Returns an empty array for a value that is no array. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Returns an empty string for a value that is no string. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
