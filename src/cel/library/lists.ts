// CEL lists library: isSorted, sum, min, max, indexOf, lastIndexOf.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import { visitsElements } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { add } from '../operators.ts';
import { compare, Double, Duration, equal, fromJson, Uint, type Value } from '../values.ts';

type List = readonly Value[];

const compareOrFail = (left: Value, right: Value) => {
  const result = compare(fromJson(left), fromJson(right));
  return result === undefined ? fail('no such overload') : result;
};

const isSorted = (list: List) =>
  list.every((element, i) => i === 0 || compareOrFail(list[i - 1]!, element) <= 0);

/** The implementation of `max` with sign 1, of `min` with sign -1. */
function extreme(name: string, sign: 1 | -1): (list: List) => Value {
  return (list) => {
    if (list.length === 0) return fail(`${name} called on empty list`);
    return fromJson(
      list.reduce((best, element) => (compareOrFail(element, best) * sign > 0 ? element : best)),
    );
  };
}

const sumFrom = (zero: Value) => (list: List) =>
  list.reduce((sum, element) => add(sum, fromJson(element)), zero);

const orderedTypes = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
/** Each type with its zero, the sum of an empty list. */
const summableTypes: readonly (readonly [string, Value])[] = [
  ['int', 0],
  ['uint', new Uint(0n)],
  ['double', new Double(0)],
  ['duration', new Duration(0n)],
];

function build(): Library {
  const builder = new LibraryBuilder();
  for (const type of orderedTypes) {
    builder
      .add('isSorted', `.list_${type}_is_sorted_bool`, `list(${type}) -> bool`, visitsElements, isSorted)
      .add('max', `.list_${type}_max_${type}`, `list(${type}) -> ${type}`, visitsElements, extreme('max', 1))
      .add(
        'min',
        `.list_${type}_min_${type}`,
        `list(${type}) -> ${type}`,
        visitsElements,
        extreme('min', -1),
      );
  }
  for (const [type, zero] of summableTypes) {
    builder.add(
      'sum',
      `.list_${type}_sum_${type}`,
      `list(${type}) -> ${type}`,
      visitsElements,
      sumFrom(zero),
    );
  }
  return builder
    .add('indexOf', '.list_a_index_of_int', 'list(A), A -> int', visitsElements, (list: List, value: Value) =>
      list.findIndex((element) => equal(fromJson(element), value)),
    )
    .add(
      'lastIndexOf',
      '.list_a_last_index_of_int',
      'list(A), A -> int',
      visitsElements,
      (list: List, value: Value) => list.findLastIndex((element) => equal(fromJson(element), value)),
    )
    .library();
}

export const lists: Library = build();
