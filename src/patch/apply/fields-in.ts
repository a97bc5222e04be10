// Server-side apply: the set of fields that an applied configuration contains.
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { DuplicateElements, namedElements } from './elements.ts';
import { emptyFieldSet, FieldSet, leafFieldSet } from './field-set.ts';
import { type MergeSchema, memberShape, shapeFor } from './shape.ts';

/** The fields that the JSON sets. */
export function fieldsIn(declared: MergeSchema, value: JsonValue): FieldSet {
  const shape = shapeFor(declared, value);
  if (shape.form === 'scalar' || shape.atomic) return leafFieldSet;
  const below = new Map<string, FieldSet>();
  const add = (element: string, set: FieldSet, isMember: boolean) => {
    const known = isMember ? set.union(leafFieldSet) : set;
    if (!known.isEmpty) below.set(element, known);
  };
  if (shape.form === 'list') {
    for (const [name, item] of namedElements(shape, value, 'json')) {
      add(
        name,
        item instanceof DuplicateElements ? leafFieldSet : fieldsIn(shape.element, item as JsonValue),
        true,
      );
    }
  } else if (isObject(value)) {
    for (const key in value) {
      const member = value[key]!;
      const known = memberShape(shape, key);
      if (known) add(`f:${key}`, fieldsIn(known, member), shape.form === 'map' || isNullOrEmpty(member));
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
export function withParents(set: FieldSet, shape: MergeSchema): FieldSet {
  if (set.below.size === 0) return set;
  let below: Map<string, FieldSet> | undefined;
  for (const [element, mine] of set.below) {
    const inner = shapeAt(shape, element);
    if (!inner) continue;
    const isField = shape.form === 'struct' && mine.below.size > 0;
    const extended = withParents(mine, inner);
    const named = isField ? extended.union(leafFieldSet) : extended;
    if (named === mine) continue;
    below ??= new Map(set.below);
    below.set(element, named);
  }
  return below ? new FieldSet(set.isMember, below) : set;
}

/** The set with fields below an atomic value replaced by that value itself. */
export function withoutParts(set: FieldSet, shape: MergeSchema): FieldSet {
  if (set.below.size === 0 || shape.form === 'scalar') return set;
  if (shape.atomic) return leafFieldSet;
  let below: Map<string, FieldSet> | undefined;
  for (const [element, mine] of set.below) {
    const inner = shapeAt(shape, element);
    const whole = inner ? withoutParts(mine, inner) : mine;
    if (whole === mine) continue;
    below ??= new Map(set.below);
    below.set(element, whole);
  }
  return below ? new FieldSet(set.isMember, below) : set;
}

/** The shape at a path element. */
function shapeAt(shape: MergeSchema, element: string): MergeSchema | undefined {
  if (shape.form === 'scalar') return undefined;
  return shape.form === 'list' ? shape.element : memberShape(shape, element.slice(2));
}
