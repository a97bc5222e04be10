// CEL optional types extension: optional.of, orValue, `a.?b`, `a[?b]` and others.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
// The planner implements the overloads without a function.
import { nominal } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { optionalMacros } from '../macros.ts';
import { CelObject } from '../types.ts';
import {
  Bytes,
  CelMap,
  CelOptional,
  Double,
  Duration,
  FieldsObject,
  fromJson,
  isMap,
  sizeOfMap,
  Timestamp,
  Uint,
  type Value,
} from '../values.ts';

/** Whether a value is the zero value of its type. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Double) return value.value === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Bytes) return value.data.length === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.seconds === 0 && value.nanos === 0;
  if (value instanceof CelOptional) return value.value === undefined || isZero(value.value);
  if (value instanceof FieldsObject) return value.fields().length === 0;
  return (value instanceof CelMap || !(value instanceof CelObject)) && isMap(value) && sizeOfMap(value) === 0;
}

const optionalElement = (list: readonly Value[], index: number): Value =>
  list.length === 0 ? CelOptional.none : new CelOptional(fromJson(list.at(index)));

function unwrap(list: readonly Value[]): Value {
  const values: Value[] = [];
  for (const element of list) {
    if (!(element instanceof CelOptional)) return fail('no such overload');
    if (element.value !== undefined) values.push(element.value);
  }
  return values;
}

export const optionals: Library = new LibraryBuilder()
  .add('optional.of', 'optional_of', 'V -> optional(V)', nominal, (value: Value) => new CelOptional(value))
  .add('optional.ofNonZeroValue', 'optional_ofNonZeroValue', 'V -> optional(V)', nominal, (value: Value) =>
    isZero(value) ? CelOptional.none : new CelOptional(value),
  )
  .add('optional.none', 'optional_none', '-> optional(V)', nominal, () => CelOptional.none)
  .add('optional.unwrap', 'optional_unwrap', 'list(optional(V)) -> list(V)', nominal, unwrap)
  .add('unwrapOpt', '.optional_unwrapOpt', 'list(optional(V)) -> list(V)', nominal, unwrap)
  .add('value', '.optional_value', 'optional(V) -> V', nominal, ({ value }: CelOptional) =>
    value === undefined ? fail('optional.none() dereference') : value,
  )
  .add(
    'hasValue',
    '.optional_hasValue',
    'optional(V) -> bool',
    nominal,
    ({ value }: CelOptional) => value !== undefined,
  )
  .add('or', '.optional_or_optional', 'optional(V), optional(V) -> optional(V)', nominal)
  .add('orValue', '.optional_orValue_value', 'optional(V), V -> V', nominal)
  .add('_?._', 'select_optional_field', 'dyn, string -> optional(V)', nominal)
  .add('_[?_]', 'list_optindex_optional_int', 'list(V), int -> optional(V)', nominal)
  .add('_[?_]', 'optional_list_optindex_optional_int', 'optional(list(V)), int -> optional(V)', nominal)
  .add('_[?_]', 'map_optindex_optional_value', 'map(K, V), K -> optional(V)', nominal)
  .add('_[?_]', 'optional_map_optindex_optional_value', 'optional(map(K, V)), K -> optional(V)', nominal)
  .add('_[_]', 'optional_list_index_int', 'optional(list(V)), int -> optional(V)', nominal)
  .add('_[_]', 'optional_map_index_value', 'optional(map(K, V)), K -> optional(V)', nominal)
  .add('first', '.list_first', 'list(V) -> optional(V)', nominal, (list: readonly Value[]) =>
    optionalElement(list, 0),
  )
  .add('last', '.list_last', 'list(V) -> optional(V)', nominal, (list: readonly Value[]) =>
    optionalElement(list, -1),
  )
  .library(optionalMacros);
