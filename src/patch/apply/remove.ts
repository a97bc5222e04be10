// Server-side apply: removes a set of fields from an object.
import { isObject, type JsonValue, userKeyed } from '../../codec/json/json-value.ts';
import { elementName } from './elements.ts';
import type { FieldSet } from './field-set.ts';
import { type MergeSchema, memberShape } from './shape.ts';

/** Containers that lose all their members become null. */
export function removeFields(shape: MergeSchema, value: JsonValue, set: FieldSet): JsonValue {
  if (set.below.size === 0 || shape.form === 'scalar' || shape.atomic) return value;
  if (shape.form === 'list') {
    if (!Array.isArray(value) || value.length === 0) return value;
    const { element } = shape;
    const kept = value.flatMap((item, index) => {
      const below = set.below.get(elementName(shape, item, index, 'json'));
      if (!below) return [item];
      return below.isMember ? [] : [removeFields(element, item, below)];
    });
    return kept.length > 0 ? kept : null;
  }
  if (!isObject(value)) return value;
  const kept = userKeyed();
  let isEmpty = true;
  let wasEmpty = true;
  for (const key in value) {
    wasEmpty = false;
    const below = set.below.get(`f:${key}`);
    if (below?.isMember) continue;
    isEmpty = false;
    const known = memberShape(shape, key);
    kept[key] = below && known ? removeFields(known, value[key]!, below) : value[key]!;
  }
  return isEmpty && !wasEmpty ? null : kept;
}
