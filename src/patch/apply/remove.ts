// Server-side apply: removes a set of fields from an object.
import { isObject, type JsonValue, nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { FieldSet } from './field-set.ts';
import { pathElementOf } from './list-elements.ts';
import { type MergeSchema, memberMergeSchema } from './merge-schema.ts';

/** Returns a copy without the fields of the set. Containers that lose all their members become null. */
export function removeFields(schema: MergeSchema, value: JsonValue, set: FieldSet): JsonValue {
  if (set.below.size === 0 || schema.form === 'scalar' || schema.atomic) return value;
  if (schema.form === 'list') {
    if (!Array.isArray(value) || value.length === 0) return value;
    const { element } = schema;
    const kept = value.flatMap((item, index) => {
      const below = set.below.get(pathElementOf(schema, item, index, 'json'));
      if (!below) return [item];
      return below.isMember ? [] : [removeFields(element, item, below)];
    });
    return kept.length > 0 ? kept : null;
  }
  if (!isObject(value)) return value;
  const kept = nullPrototypeObject();
  let isKeptEmpty = true;
  let isValueEmpty = true;
  for (const key in value) {
    isValueEmpty = false;
    const below = set.below.get(`f:${key}`);
    if (below?.isMember) continue;
    isKeptEmpty = false;
    const member = memberMergeSchema(schema, key);
    kept[key] = below && member ? removeFields(member, value[key]!, below) : value[key]!;
  }
  return isKeptEmpty && !isValueEmpty ? null : kept;
}
