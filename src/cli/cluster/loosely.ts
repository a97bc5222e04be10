import type { JsonValue } from '../../codec/json/json-value.ts';

/** The items of a list; none where it is something else. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A text; empty where it is something else. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
