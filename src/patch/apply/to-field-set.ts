// Server-side apply: the field set of a value (TypedValue.ToFieldSet upstream), and its adjustment to a schema.
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { emptyFieldSet, FieldSet, leafFieldSet } from './field-set.ts';
import { DuplicateElements, elementsByPath } from './list-elements.ts';
import { type MergeSchema, memberMergeSchema, mergeSchemaFor } from './merge-schema.ts';

/** Returns the fields that a value sets. */
export function toFieldSet(declared: MergeSchema, value: JsonValue): FieldSet {
  const schema = mergeSchemaFor(declared, value);
  if (schema.form === 'scalar' || schema.atomic) return leafFieldSet;
  const below = new Map<string, FieldSet>();
  if (schema.form === 'list') {
    for (const [element, item] of elementsByPath(schema, value, 'json')) {
      const isDuplicate = item instanceof DuplicateElements;
      const set = isDuplicate ? leafFieldSet : toFieldSet(schema.element, item as JsonValue);
      below.set(element, set.union(leafFieldSet));
    }
  } else if (isObject(value)) {
    for (const key in value) {
      const member = value[key]!;
      const inner = memberMergeSchema(schema, key);
      if (!inner) continue;
      // A struct field with members is not itself a member of the set; a list element or map entry always is.
      const isMember = schema.form === 'map' || isNullOrEmpty(member);
      const set = toFieldSet(inner, member);
      const child = isMember ? set.union(leafFieldSet) : set;
      if (!child.isEmpty) below.set(`f:${key}`, child);
    }
  }
  return below.size === 0 ? emptyFieldSet : new FieldSet(false, below);
}

function isNullOrEmpty(value: JsonValue): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

/** Adds every struct field on the path to a member (Set.EnsureNamedFieldsAreMembers upstream). */
export function ensureNamedFieldsAreMembers(set: FieldSet, schema: MergeSchema): FieldSet {
  if (set.below.size === 0) return set;
  let below: Map<string, FieldSet> | undefined;
  for (const [element, child] of set.below) {
    const inner = schemaAt(schema, element);
    if (!inner) continue;
    const isField = schema.form === 'struct' && child.below.size > 0;
    const extended = ensureNamedFieldsAreMembers(child, inner);
    const named = isField ? extended.union(leafFieldSet) : extended;
    if (named === child) continue;
    below ??= new Map(set.below);
    below.set(element, named);
  }
  return below ? new FieldSet(set.isMember, below) : set;
}

/**
 * Replaces fields below an atomic value by the value itself, after a schema became atomic (ReconcileFieldSetWithSchema
 * upstream).
 */
export function reconcileWithSchema(set: FieldSet, schema: MergeSchema): FieldSet {
  if (set.below.size === 0 || schema.form === 'scalar') return set;
  if (schema.atomic) return leafFieldSet;
  let below: Map<string, FieldSet> | undefined;
  for (const [element, child] of set.below) {
    const inner = schemaAt(schema, element);
    const reconciled = inner ? reconcileWithSchema(child, inner) : child;
    if (reconciled === child) continue;
    below ??= new Map(set.below);
    below.set(element, reconciled);
  }
  return below ? new FieldSet(set.isMember, below) : set;
}

/** The merge schema below a path element. */
function schemaAt(schema: MergeSchema, element: string): MergeSchema | undefined {
  if (schema.form === 'scalar') return undefined;
  return schema.form === 'list' ? schema.element : memberMergeSchema(schema, element.slice(2));
}
