// CEL standard library: operators, size, string functions and macros.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import { comparison, nominal, traversesArgument } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { standardMacros } from '../macros.ts';
import { matches } from '../regex.ts';
import { type Bytes, sizeOfMap, sizeOfString, type Value } from '../values.ts';
import { addConversions } from './conversions.ts';
import {
  concatenation,
  conditional,
  equality,
  listConcatenation,
  listMembership,
  patternMatch,
  shortCircuit,
  substringSearch,
} from './operator-costs.ts';
import { addTimeFunctions } from './time.ts';

const numericIds = ['int64', 'uint64', 'double'] as const;
const typeNames = { int64: 'int', uint64: 'uint', double: 'double' } as const;

/** `less_int64`, `less_int64_double`, …: comparisons of any two numeric types. */
function addComparison(builder: LibraryBuilder, name: string, id: string): void {
  builder.add(name, `${id}_bool`, 'bool, bool -> bool', nominal);
  for (const left of numericIds) {
    builder.add(name, `${id}_${left}`, `${typeNames[left]}, ${typeNames[left]} -> bool`, nominal);
    for (const right of numericIds) {
      if (right === left) continue;
      builder.add(name, `${id}_${left}_${right}`, `${typeNames[left]}, ${typeNames[right]} -> bool`, nominal);
    }
  }
  for (const type of ['string', 'bytes', 'timestamp', 'duration']) {
    const isText = type === 'string' || type === 'bytes';
    builder.add(name, `${id}_${type}`, `${type}, ${type} -> bool`, isText ? comparison : nominal);
  }
}

function addArithmetic(
  builder: LibraryBuilder,
  name: string,
  id: string,
  kinds: readonly (typeof numericIds)[number][],
): void {
  for (const kind of kinds) {
    const type = typeNames[kind];
    builder.add(name, `${id}_${kind}`, `${type}, ${type} -> ${type}`, nominal);
  }
}

function addOperators(builder: LibraryBuilder): void {
  builder
    .add('_&&_', 'logical_and', 'bool, bool -> bool', shortCircuit)
    .add('_||_', 'logical_or', 'bool, bool -> bool', shortCircuit)
    .add('!_', 'logical_not', 'bool -> bool', nominal)
    .add('_?_:_', 'conditional', 'bool, A, A -> A', conditional)
    .add('@not_strictly_false', 'not_strictly_false', 'bool -> bool', nominal)
    .add('_==_', 'equals', 'A, A -> bool', equality)
    .add('_!=_', 'not_equals', 'A, A -> bool', comparison)
    .add('@in', 'in_list', 'A, list(A) -> bool', listMembership)
    .add('@in', 'in_map', 'A, map(A, B) -> bool', nominal)
    .add('_[_]', 'index_list', 'list(A), int -> A', nominal)
    .add('_[_]', 'index_map', 'map(A, B), A -> B', nominal)
    .add('-_', 'negate_double', 'double -> double', nominal)
    .add('-_', 'negate_int64', 'int -> int', nominal)
    .add('_+_', 'add_bytes', 'bytes, bytes -> bytes', concatenation)
    .add('_+_', 'add_duration_duration', 'duration, duration -> duration', nominal)
    .add('_+_', 'add_duration_timestamp', 'duration, timestamp -> timestamp', nominal)
    .add('_+_', 'add_timestamp_duration', 'timestamp, duration -> timestamp', nominal)
    .add('_+_', 'add_list', 'list(A), list(A) -> list(A)', listConcatenation)
    .add('_+_', 'add_string', 'string, string -> string', concatenation)
    .add('_-_', 'subtract_duration_duration', 'duration, duration -> duration', nominal)
    .add('_-_', 'subtract_timestamp_duration', 'timestamp, duration -> timestamp', nominal)
    .add('_-_', 'subtract_timestamp_timestamp', 'timestamp, timestamp -> duration', nominal);
  addArithmetic(builder, '_+_', 'add', numericIds);
  addArithmetic(builder, '_-_', 'subtract', numericIds);
  addArithmetic(builder, '_*_', 'multiply', numericIds);
  addArithmetic(builder, '_/_', 'divide', numericIds);
  addArithmetic(builder, '_%_', 'modulo', ['int64', 'uint64']);
  addComparison(builder, '_<_', 'less');
  addComparison(builder, '_<=_', 'less_equals');
  addComparison(builder, '_>_', 'greater');
  addComparison(builder, '_>=_', 'greater_equals');
}

function addSize(builder: LibraryBuilder): void {
  const sizes: readonly (readonly [string, string, (value: never) => Value])[] = [
    ['bytes', 'bytes', ({ data }: Bytes) => data.length],
    ['list', 'list(A)', (list: readonly Value[]) => list.length],
    ['map', 'map(A, B)', (map: Value) => sizeOfMap(map)],
    ['string', 'string', sizeOfString],
  ];
  for (const [id, type, size] of sizes) {
    builder
      .add('size', `size_${id}`, `${type} -> int`, nominal, size)
      .add('size', `.${id}_size`, `${type} -> int`, nominal, size);
  }
}

function build(): Library {
  const builder = new LibraryBuilder();
  addOperators(builder);
  addSize(builder);
  addConversions(builder);
  addTimeFunctions(builder);
  builder
    .add(
      'contains',
      '.contains_string',
      'string, string -> bool',
      substringSearch,
      (text: string, part: string) => text.includes(part),
    )
    .add(
      'endsWith',
      '.ends_with_string',
      'string, string -> bool',
      traversesArgument,
      (text: string, end: string) => text.endsWith(end),
    )
    .add(
      'startsWith',
      '.starts_with_string',
      'string, string -> bool',
      traversesArgument,
      (text: string, start: string) => text.startsWith(start),
    )
    .add('matches', 'matches', 'string, string -> bool', nominal, matches)
    .add('matches', '.matches_string', 'string, string -> bool', patternMatch, matches);
  return builder.library(standardMacros);
}

export const standard: Library = build();
