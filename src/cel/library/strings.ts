// CEL strings extension: charAt, indexOf, replace, split, join, format and others.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import type { CallCost, RuntimeCost } from '../cost/call-cost.ts';
import {
  nominal,
  perCharacter,
  sizeOf,
  targetSize,
  traversalCostRange,
  traversesTarget,
  visitsElements,
} from '../cost/models.ts';
import { exactly, plus, type Range, scaled, times, unbounded } from '../cost/range.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import type { Value } from '../values.ts';
import { formatString, localizedStyle, plainStyle } from './format-string.ts';

type Int = number | bigint;

/** CEL indexes strings by code points, which for most strings are the UTF-16 code units of JavaScript. */
const codePoints = (text: string): readonly string[] =>
  /[\ud800-\udfff]/.test(text) ? Array.from(text) : text.split('');

/** '' for the index after the last character. */
function charAt(text: string, index: Int): Value {
  const points = codePoints(text);
  return points[requireIndex(index, points)] ?? '';
}

function indexOf(text: string, part: string, from: Int = 0): Value {
  const points = codePoints(text);
  const partPoints = codePoints(part);
  const start = requireIndex(from, points);
  if (part === '') return start;
  const lastStart = points.length - partPoints.length;
  for (let position = start; position <= lastStart; position++) {
    if (isAt(points, position, partPoints)) return position;
  }
  return -1;
}

function lastIndexOf(text: string, part: string, from?: Int): Value {
  const points = codePoints(text);
  const partPoints = codePoints(part);
  const start = from === undefined ? points.length : requireIndex(from, points);
  if (part === '') return start;
  const lastStart = points.length - partPoints.length;
  for (let position = Math.min(start, lastStart); position >= 0; position--) {
    if (isAt(points, position, partPoints)) return position;
  }
  return -1;
}

function requireIndex(index: Int, points: readonly string[]): number {
  const position = Number(index);
  return position < 0 || position > points.length ? fail(`index out of range: ${index}`) : position;
}

const isAt = (points: readonly string[], position: number, partPoints: readonly string[]) =>
  partPoints.every((point, i) => points[position + i] === point);

function substring(text: string, start: Int, end?: Int): Value {
  const points = codePoints(text);
  const from = Number(start);
  const to = end === undefined ? points.length : Number(end);
  if (end === undefined) {
    if (from < 0 || from > points.length) return fail(`index out of range: ${start}`);
  } else {
    if (from > to) return fail(`invalid substring range. start: ${start}, end: ${end}`);
    if (from < 0 || from > points.length) return fail(`index out of range: ${start}`);
    if (to < 0 || to > points.length) return fail(`index out of range: ${end}`);
  }
  return points.slice(from, to).join('');
}

/** Far larger than any object. The cost of a call does not always limit the size of its result. */
const maxResultLength = 10 * 1024 * 1024;

/** A negative count replaces every occurrence; an empty `from` occurs before and after every character. */
function replace(text: string, from: string, to: string, count: Int = -1): Value {
  const maxCount = Number(count);
  const maxMatches = from === '' ? text.length + 1 : Math.floor(text.length / from.length);
  const maxReplacements = maxCount < 0 ? maxMatches : Math.min(maxCount, maxMatches);
  if (text.length + maxReplacements * to.length > maxResultLength)
    return fail('the result of replace is too long');
  if (from === '') return insertAround(text, to, maxCount < 0 ? Number.POSITIVE_INFINITY : maxCount);
  if (maxCount < 0) return text.replaceAll(from, () => to);
  const [start = '', ...pieces] = text.split(from);
  return pieces.reduce((result, piece, i) => result + (i < maxCount ? to : from) + piece, start);
}

/** Inserts a text before the first character and after each character, up to `maxCount` times. */
function insertAround(text: string, inserted: string, maxCount: number): string {
  let result = maxCount > 0 ? inserted : '';
  codePoints(text).forEach((point, i) => {
    result += point + (i + 1 < maxCount ? inserted : '');
  });
  return result;
}

function split(text: string, separator: string, limit: Int = -1): Value {
  const maxCount = Number(limit);
  if (maxCount === 0) return [];
  const parts = separator === '' ? [...codePoints(text)] : text.split(separator);
  if (maxCount < 0 || parts.length <= maxCount) return parts;
  return [...parts.slice(0, maxCount - 1), parts.slice(maxCount - 1).join(separator)];
}

function join(list: readonly Value[], separator = ''): Value {
  if (list.some((element) => typeof element !== 'string')) return fail('no such overload');
  return list.join(separator);
}

const upper = (text: string) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
const lower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Unicode white space, which differs from JavaScript's `\\s` in two characters. */
const whiteSpace = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const surroundingWhiteSpace = new RegExp(`^${whiteSpace}|${whiteSpace}$`, 'g');

const escapeByCharacter: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** Lone surrogates, which UTF-8 cannot encode, become U+FFFD. */
function quote(text: string): Value {
  const wellFormed = text.replace(/[\ud800-\udfff]/g, (unit, index: number, source: string) =>
    isInSurrogatePair(unit, index, source) ? unit : '\ufffd',
  );
  return `"${wellFormed.replace(/[\x07-\r\\"]/g, (character) => escapeByCharacter[character] ?? character)}"`;
}

function isInSurrogatePair(unit: string, index: number, text: string): boolean {
  const isHigh = unit < '\udc00';
  const neighbour = text.charCodeAt(isHigh ? index + 1 : index - 1);
  return isHigh ? neighbour >= 0xdc00 && neighbour <= 0xdfff : neighbour >= 0xd800 && neighbour <= 0xdbff;
}

const traversesTwice: RuntimeCost = (text) => Math.ceil(sizeOf(text) * 2 * perCharacter);

const replaceCost: CallCost = {
  estimate: (call, sizes) => {
    const text = targetSize(call, sizes);
    const [from, to] = call.argSizes as [Range, Range];
    const shortest = shortestReplacement(text.min, from.max, to.min);
    const longest = longestReplacement(text.max, from.min, to.max);
    const count = { min: shortest.count, max: longest.count };
    const kept = { min: shortest.kept, max: longest.kept };
    return { cost: scaled(text, 2 * perCharacter), size: plus(times(count, to), kept) };
  },
  runtime: traversesTwice,
};

/** The result of `replace`: how many replacements it contains, and how many characters of the text stay in it. */
interface ReplacementSize {
  readonly count: number;
  readonly kept: number;
}

function shortestReplacement(textSize: number, fromSize: number, toSize: number): ReplacementSize {
  // An empty `from` occurs before and after every character.
  if (fromSize === 0) return { count: textSize + 1, kept: textSize };
  // Replacements do not shorten the text: the result without any is the shortest.
  if (fromSize <= toSize) return { count: 0, kept: textSize };
  return { count: Math.ceil(textSize / fromSize), kept: 0 };
}

function longestReplacement(textSize: number, fromSize: number, toSize: number): ReplacementSize {
  if (fromSize === 0) return { count: Math.min(textSize + 1, unbounded), kept: textSize };
  // Replacements do not lengthen the text: the result without any is the longest.
  if (toSize <= fromSize) return { count: 0, kept: textSize };
  return { count: Math.ceil(textSize / fromSize), kept: 0 };
}

const splitCost: CallCost = {
  estimate: (call, sizes) => {
    const text = targetSize(call, sizes);
    const limit = call.expr.args[1];
    const max =
      limit?.node === 'literal' && limit.literal.kind === 'int'
        ? Number(BigInt.asUintN(64, limit.literal.value))
        : text.max;
    return { cost: scaled(text, 2 * perCharacter), size: { min: 0, max } };
  },
  runtime: traversesTwice,
};

/** The size of the string that `join` returns. */
function joinedSize(list: Value, separator: Value | undefined): number {
  if (!Array.isArray(list)) return 0;
  const between = separator === undefined ? 0 : sizeOf(separator) * Math.max(0, list.length - 1);
  return list.reduce<number>((sum, element) => sum + sizeOf(element), between);
}

const joinCost: CallCost = {
  estimate: ({ target, argSizes }, sizes) => {
    if (!target) return { cost: exactly(1) };
    const list = sizes.size(target);
    let size = times(list, sizes.sizeBelow(target, '@items'));
    if (argSizes[0]) {
      const separators = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
      size = plus(size, times(argSizes[0], separators));
    }
    return { cost: traversalCostRange(size), size };
  },
  runtime: (list, separator) => Math.ceil(joinedSize(list, separator) * 2 * perCharacter),
};

const formatCost: CallCost = {
  estimate: (call, sizes) => ({ cost: traversalCostRange(targetSize(call, sizes)) }),
  runtime: traversesTarget.runtime,
};

const quoteCost: CallCost = {
  estimate: ({ argSizes: [size] }) => ({
    cost: traversalCostRange(size!),
    size: { min: size!.min + 2, max: size!.max * 2 + 2 },
  }),
  runtime: traversesTarget.runtime,
};

/** Version 1 added `format` and `quote`, version 3 `reverse`; version 4 formats numbers without a locale. */
export function strings(version: number): Library {
  const builder = new LibraryBuilder()
    .add('charAt', '.string_char_at_int', 'string, int -> string', nominal, charAt)
    .add('indexOf', '.string_index_of_string', 'string, string -> int', visitsElements, indexOf)
    .add('indexOf', '.string_index_of_string_int', 'string, string, int -> int', visitsElements, indexOf)
    .add('lastIndexOf', '.string_last_index_of_string', 'string, string -> int', visitsElements, lastIndexOf)
    .add(
      'lastIndexOf',
      '.string_last_index_of_string_int',
      'string, string, int -> int',
      visitsElements,
      lastIndexOf,
    )
    .add('lowerAscii', '.string_lower_ascii', 'string -> string', traversesTarget, lower)
    .add('upperAscii', '.string_upper_ascii', 'string -> string', traversesTarget, upper)
    .add('replace', '.string_replace_string_string', 'string, string, string -> string', replaceCost, replace)
    .add(
      'replace',
      '.string_replace_string_string_int',
      'string, string, string, int -> string',
      replaceCost,
      replace,
    )
    .add('split', '.string_split_string', 'string, string -> list(string)', splitCost, split)
    .add('split', '.string_split_string_int', 'string, string, int -> list(string)', splitCost, split)
    .add('substring', '.string_substring_int', 'string, int -> string', traversesTarget, substring)
    .add('substring', '.string_substring_int_int', 'string, int, int -> string', traversesTarget, substring)
    .add('trim', '.string_trim', 'string -> string', traversesTarget, (text: string) =>
      text.replace(surroundingWhiteSpace, ''),
    );
  if (version >= 1) {
    builder
      .add(
        'format',
        '.string_format',
        'string, list(dyn) -> string',
        formatCost,
        (text: string, args: readonly Value[]) =>
          formatString(text, args, version >= 4 ? plainStyle : localizedStyle),
      )
      .add('strings.quote', 'strings_quote', 'string -> string', quoteCost, quote);
  }
  builder
    .add('join', '.list_join', 'list(string) -> string', joinCost, join)
    .add('join', '.list_join_string', 'list(string), string -> string', joinCost, join);
  if (version >= 3) {
    builder.add('reverse', '.string_reverse', 'string -> string', nominal, (text: string) =>
      [...codePoints(text)].reverse().join(''),
    );
  }
  return builder.library();
}
