// JSON parser: keeps exact numbers, reports duplicate keys, and limits nesting as Go's encoding/json does.
import {
  isObject,
  type JsonObject,
  JsonText,
  type JsonValue,
  nullPrototypeObject,
  RawNumber,
} from './json-value.ts';
import { describeSyntaxError } from './syntax-error.ts';

/** The duplicate keys of each object that has any. */
export type Duplicates = Map<JsonObject, Set<string>>;

export interface ParsedJson {
  readonly value: JsonValue;
  /** Absent if no object has a duplicate key. */
  readonly duplicates?: Duplicates;
}

export interface ParseOptions {
  /** Of two objects under a duplicate key the last one wins. By default they are merged. */
  readonly lastDuplicateWins?: boolean;
  /** Objects under this key become JsonText. Only for text that `stringifyJson` or a schema wrote. */
  readonly unparsedKey?: string;
}

/** The text is not JSON; the message is that of Go's encoding/json. */
export class JsonSyntaxError extends Error {}

/** The nesting limit of Go's encoding/json. */
export const maxNesting = 10_000;

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const UPPER_E = 69;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const LOWER_E = 101;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
/** The bit in which a brace differs from the bracket of the same direction. */
const BRACKET_TO_BRACE = 32;

/**
 * Parses JSON text. Under a duplicate key two objects are merged, and otherwise the last value wins, since Go's decoder
 * decodes into the existing value.
 *
 * The parser does not recurse, so nesting needs no stack. It only detects errors; `describeSyntaxError` then finds the
 * message. The loop is one function because it runs for every write: its state stays in registers, which helper
 * functions would prevent.
 */
export function parseJson(
  source: string | Buffer,
  { lastDuplicateWins = false, unparsedKey }: ParseOptions = {},
): ParsedJson {
  const text = typeof source === 'string' ? source : source.toString('utf8');
  /** The enclosing containers, and for each the key of its current member ('' in arrays). */
  const parents: (JsonObject | JsonValue[])[] = [];
  const parentKeys: string[] = [];
  let object: JsonObject | undefined;
  let array: JsonValue[] | undefined;
  let key = '';
  let value: JsonValue;
  let duplicates: Duplicates | undefined;
  let expectsKey = false;
  let index = skipSpace(text, 0);

  for (;;) {
    // A value or a key starts here.
    const first = text.charCodeAt(index);
    if (first === QUOTE) {
      const start = ++index;
      let c = text.charCodeAt(index);
      while (c !== QUOTE && c !== BACKSLASH && c >= SPACE) c = text.charCodeAt(++index);
      if (c === QUOTE) {
        value = text.slice(start, index);
      } else {
        index = endOfString(text, index);
        value = unescapeString(text.slice(start, index));
      }
      index++;
      if (expectsKey) {
        key = value;
        expectsKey = false;
        if (text.charCodeAt(index) !== COLON) index = skipSpace(text, index);
        if (text.charCodeAt(index) !== COLON) fail(text);
        index++;
        if (text.charCodeAt(index) <= SPACE) index = skipSpace(text, index);
        if (key !== unparsedKey || text.charCodeAt(index) !== OPEN_BRACE) continue;
        const end = endOfContainer(text, index);
        value = new JsonText(text.slice(index, end));
        index = end;
      }
    } else if (expectsKey) {
      fail(text);
    } else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      if (parents.length + (object || array ? 1 : 0) >= maxNesting) fail(text);
      index = skipSpace(text, index + 1);
      const isEmpty = text.charCodeAt(index) === (first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
      if (isEmpty) {
        value = first === OPEN_BRACE ? nullPrototypeObject() : [];
        index++;
      } else {
        if (object || array) {
          parents.push((object ?? array)!);
          parentKeys.push(key);
        }
        if (first === OPEN_BRACE) {
          object = nullPrototypeObject();
          array = undefined;
          expectsKey = true;
        } else {
          object = undefined;
          array = [];
        }
        continue;
      }
    } else if (first > ZERO && first <= NINE) {
      const start = index;
      let integer = 0;
      let c = first;
      do {
        integer = integer * 10 + (c - ZERO);
        c = text.charCodeAt(++index);
      } while (c >= ZERO && c <= NINE);
      if (index - start > 15 || c === POINT || c === LOWER_E || c === UPPER_E) {
        value = parseNumber(text, start);
        index = numberPattern.lastIndex;
      } else {
        value = integer;
      }
    } else if (text.startsWith('true', index)) {
      value = true;
      index += 4;
    } else if (text.startsWith('false', index)) {
      value = false;
      index += 5;
    } else if (text.startsWith('null', index)) {
      value = null;
      index += 4;
    } else {
      value = parseNumber(text, index);
      index = numberPattern.lastIndex;
    }

    // A value ends here. It is added to its container, which may end after it.
    for (;;) {
      let c = text.charCodeAt(index);
      if (c <= SPACE) {
        index = skipSpace(text, index);
        c = text.charCodeAt(index);
      }
      if (object) {
        if (object[key] !== undefined) {
          duplicates ??= new Map();
          value = addDuplicate(duplicates, object, key, value, lastDuplicateWins);
        }
        object[key] = value;
        if (c === COMMA) {
          expectsKey = true;
          break;
        }
        if (c !== CLOSE_BRACE) fail(text);
        value = object;
      } else if (array) {
        array.push(value);
        if (c === COMMA) break;
        if (c !== CLOSE_BRACKET) fail(text);
        value = array;
      } else {
        if (index < text.length) fail(text);
        return duplicates ? { value, duplicates } : { value };
      }
      index++;
      const parent = parents.pop();
      if (parent === undefined) {
        object = array = undefined;
      } else {
        key = parentKeys.pop()!;
        if (Array.isArray(parent)) {
          object = undefined;
          array = parent;
        } else {
          object = parent;
          array = undefined;
        }
      }
    }
    index++;
    if (text.charCodeAt(index) <= SPACE) index = skipSpace(text, index);
  }
}

/** The index after an object or array that is known to be well formed. */
export function endOfContainer(text: string, start: number): number {
  const end = findEnd(text, start, 0);
  return end < 0 ? fail(text) : end;
}

/** Whether an object whose opening brace precedes the text is still open at its end. */
export function isIncomplete(text: string): boolean {
  return findEnd(text, 0, 1) < 0;
}

/** The index after the container that is open at `initialDepth`; -1 if the text ends inside it. */
function findEnd(text: string, start: number, initialDepth: number): number {
  const { length } = text;
  let depth = initialDepth;
  // It never reads beyond the end: after one NaN, V8 treats all characters as floating point numbers.
  for (let index = start; index < length; index++) {
    const c = text.charCodeAt(index);
    if (c === QUOTE) {
      index = text.indexOf('"', index + 1);
      while (index > 0 && isEscaped(text, index)) index = text.indexOf('"', index + 1);
      if (index < 0) return -1;
    } else if ((c | BRACKET_TO_BRACE) === OPEN_BRACE) depth++;
    else if ((c | BRACKET_TO_BRACE) === CLOSE_BRACE && --depth === 0) return index + 1;
  }
  return -1;
}

/** Whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, index: number): boolean {
  let precedingIndex = index - 1;
  while (text.charCodeAt(precedingIndex) === BACKSLASH) precedingIndex--;
  return (index - precedingIndex) % 2 === 0;
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** Leaves the index after the number in `numberPattern.lastIndex`. */
function parseNumber(text: string, index: number): number | RawNumber {
  numberPattern.lastIndex = index;
  const literal = numberPattern.exec(text)?.[0];
  if (literal === undefined) fail(text);
  const parsed = Number(literal);
  return String(parsed) === literal ? parsed : new RawNumber(literal);
}

function skipSpace(text: string, index: number): number {
  for (;;) {
    const c = text.charCodeAt(index);
    if (c !== SPACE && c !== NEWLINE && c !== RETURN && c !== TAB) return index;
    index++;
  }
}

/** The index of the closing quote. The given index is inside the string and not inside an escape sequence. */
export function endOfString(text: string, index: number): number {
  for (;;) {
    const c = text.charCodeAt(index);
    if (c === QUOTE) return index;
    // At the end of the text `c` is NaN.
    if (!(c >= SPACE)) fail(text);
    if (c !== BACKSLASH) {
      index++;
    } else if (text.charCodeAt(index + 1) === QUOTE) {
      index += 2;
    } else {
      escapePattern.lastIndex = index;
      if (!escapePattern.test(text)) fail(text);
      index = escapePattern.lastIndex;
    }
  }
}

const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Unescapes the content of a string that `endOfString` has validated. */
function unescapeString(content: string): string {
  const unescaped = JSON.parse(`"${content}"`) as string;
  // Only an escape can produce a lone surrogate; Go reads it as U+FFFD.
  return content.includes('\\u') ? unescaped.replace(/[\ud800-\udfff]/gu, '\ufffd') : unescaped;
}

function fail(text: string): never {
  throw new JsonSyntaxError(describeSyntaxError(text, maxNesting));
}

/** Records the duplicate key and returns the value that the key gets. */
function addDuplicate(
  duplicates: Duplicates,
  object: JsonObject,
  key: string,
  second: JsonValue,
  lastDuplicateWins: boolean,
): JsonValue {
  const keys = duplicates.get(object);
  if (keys) keys.add(key);
  else duplicates.set(object, new Set([key]));
  const first = object[key]!;
  if (lastDuplicateWins || !isObject(first) || !isObject(second)) return second;
  const pending: [JsonObject, JsonObject][] = [[first, second]];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [target, source] = pair;
    const sourceDuplicates = duplicates.get(source);
    if (sourceDuplicates)
      duplicates.set(target, new Set([...(duplicates.get(target) ?? []), ...sourceDuplicates]));
    for (const [name, value] of Object.entries(source)) {
      const existing = target[name];
      if (isObject(existing) && isObject(value)) pending.push([existing, value]);
      else target[name] = value;
    }
  }
  return first;
}
