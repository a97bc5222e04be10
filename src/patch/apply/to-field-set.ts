// Server-side apply: the set of fields that an applied configuration contains.
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { emptyFieldSet, FieldSet, leafFieldSet } from './field-set.ts';
import { DuplicateElements, elementsByPath } from './list-elements.ts';
import { type MergeSchema, memberMergeSchema, mergeSchemaFor } from './merge-schema.ts';

/** The fields that the JSON sets. */
export function toFieldSet(declared: MergeSchema, value: JsonValue): FieldSet {
  const schema = mergeSchemaFor(declared, value);
  if (schema.form === 'scalar' || schema.atomic) return leafFieldSet;
  const below = new Map<string, FieldSet>();
  const add = (element: string, set: FieldSet, isMember: boolean) => {
    const known = isMember ? set.union(leafFieldSet) : set;
    if (!known.isEmpty) below.set(element, known);
  };
  if (schema.form === 'list') {
    for (const [name, item] of elementsByPath(schema, value, 'json')) {
      add(
        name,
        item instanceof DuplicateElements ? leafFieldSet : toFieldSet(schema.element, item as JsonValue),
        true,
      );
    }
  } else if (isObject(value)) {
    for (const key in value) {
      const member = value[key]!;
      const known = memberMergeSchema(schema, key);
      if (known) add(`f:${key}`, toFieldSet(known, member), schema.form === 'map' || isNullOrEmpty(member));
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

/** The set with every struct on the path to a member. */
export function ensureNamedFieldsAreMembers(set: FieldSet, schema: MergeSchema): FieldSet {
  if (set.below.size === 0) return set;
  let below: Map<string, FieldSet> | undefined;
  for (const [element, mine] of set.below) {
    const inner = schemaAt(schema, element);
    if (!inner) continue;
    const isField = schema.form === 'struct' && mine.below.size > 0;
    const extended = ensureNamedFieldsAreMembers(mine, inner);
    const named = isField ? extended.union(leafFieldSet) : extended;
    if (named === mine) continue;
    below ??= new Map(set.below);
    below.set(element, named);
  }
  return below ? new FieldSet(set.isMember, below) : set;
}

/** The set with fields below an atomic value replaced by that value itself. */
export function reconcileWithSchema(set: FieldSet, schema: MergeSchema): FieldSet {
  if (set.below.size === 0 || schema.form === 'scalar') return set;
  if (schema.atomic) return leafFieldSet;
  let below: Map<string, FieldSet> | undefined;
  for (const [element, mine] of set.below) {
    const inner = schemaAt(schema, element);
    const whole = inner ? reconcileWithSchema(mine, inner) : mine;
    if (whole === mine) continue;
    below ??= new Map(set.below);
    below.set(element, whole);
  }
  return below ? new FieldSet(set.isMember, below) : set;
}

/** The shape at a path element. */
function schemaAt(schema: MergeSchema, element: string): MergeSchema | undefined {
  if (schema.form === 'scalar') return undefined;
  return schema.form === 'list' ? schema.element : memberMergeSchema(schema, element.slice(2));
}
