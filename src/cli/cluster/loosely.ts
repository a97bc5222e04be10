// Lenient reads of untrusted JSON.
import type { JsonValue } from '../../codec/json/json-value.ts';

/** Returns an empty array for other values. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Returns an empty string for other values. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
