// JSON parser: keeps exact numbers, reports duplicate keys, and limits nesting like Go's encoding/json.
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
  /** The last of duplicate values wins even if both are objects, as kube-apiserver does when it decodes into an empty value. */
  readonly lastStays?: boolean;
  /** Objects under this key are kept as JsonText. Only for text written by `stringifyJson` or a schema. */
  readonly asText?: string;
}

/** The text is not JSON. The message is that of Go's encoding/json. */
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
/** The bit that distinguishes braces from brackets. */
const BRACKET_TO_BRACE = 32;

/**
 * Parses JSON text. Of duplicate keys, two objects are merged, and otherwise the last wins, since Go's decoder
 * decodes into the existing value; `lastStays` disables the merge.
 *
 * The parser does not recurse, so the deepest text allowed needs no more stack than a flat one. It only detects
 * errors; `describeSyntaxError` then finds the message. The loop is one function because it runs for every write: its
 * state stays in registers, which shared helpers would prevent.
 */
export function parseJson(
  source: string | Buffer,
  { lastStays = false, asText }: ParseOptions = {},
): ParsedJson {
  const text = typeof source === 'string' ? source : source.toString('utf8');
  /** The enclosing containers, and for each the key under which its current member goes (arrays: ''). */
  const outer: (JsonObject | JsonValue[])[] = [];
  const outerKeys: string[] = [];
  let object: JsonObject | undefined;
  let array: JsonValue[] | undefined;
  let key = '';
  let value: JsonValue;
  let duplicates: Duplicates | undefined;
  /** Whether a key comes next, not a value. */
  let atKey = false;
  let at = skipSpace(text, 0);

  for (;;) {
    // A value or a key starts here.
    const first = text.charCodeAt(at);
    if (first === QUOTE) {
      const start = ++at;
      let c = text.charCodeAt(at);
      while (c !== QUOTE && c !== BACKSLASH && c >= SPACE) c = text.charCodeAt(++at);
      if (c === QUOTE) {
        value = text.slice(start, at);
      } else {
        at = endOfString(text, at);
        value = withoutEscapes(text.slice(start, at));
      }
      at++;
      if (atKey) {
        key = value;
        atKey = false;
        if (text.charCodeAt(at) !== COLON) at = skipSpace(text, at);
        if (text.charCodeAt(at) !== COLON) fail(text);
        at++;
        if (text.charCodeAt(at) <= SPACE) at = skipSpace(text, at);
        if (key !== asText || text.charCodeAt(at) !== OPEN_BRACE) continue;
        const end = endOfContainer(text, at);
        value = new JsonText(text.slice(at, end));
        at = end;
      }
    } else if (atKey) {
      fail(text);
    } else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      if (outer.length + (object || array ? 1 : 0) >= maxNesting) fail(text);
      at = skipSpace(text, at + 1);
      const isEmpty = text.charCodeAt(at) === (first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
      if (isEmpty) {
        value = first === OPEN_BRACE ? nullPrototypeObject() : [];
        at++;
      } else {
        if (object || array) {
          outer.push((object ?? array)!);
          outerKeys.push(key);
        }
        if (first === OPEN_BRACE) {
          object = nullPrototypeObject();
          array = undefined;
          atKey = true;
        } else {
          object = undefined;
          array = [];
        }
        continue;
      }
    } else if (first > ZERO && first <= NINE) {
      const start = at;
      let integer = 0;
      let c = first;
      do {
        integer = integer * 10 + (c - ZERO);
        c = text.charCodeAt(++at);
      } while (c >= ZERO && c <= NINE);
      if (at - start > 15 || c === POINT || c === LOWER_E || c === UPPER_E) {
        value = readNumber(text, start);
        at = number.lastIndex;
      } else {
        value = integer;
      }
    } else if (text.startsWith('true', at)) {
      value = true;
      at += 4;
    } else if (text.startsWith('false', at)) {
      value = false;
      at += 5;
    } else if (text.startsWith('null', at)) {
      value = null;
      at += 4;
    } else {
      value = readNumber(text, at);
      at = number.lastIndex;
    }

    // A value ends here: it goes into its container, which may close in turn.
    for (;;) {
      let c = text.charCodeAt(at);
      if (c <= SPACE) {
        at = skipSpace(text, at);
        c = text.charCodeAt(at);
      }
      if (object) {
        if (object[key] !== undefined) {
          duplicates ??= new Map();
          value = addDuplicate(duplicates, object, key, value, lastStays);
        }
        object[key] = value;
        if (c === COMMA) {
          atKey = true;
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
        if (at < text.length) fail(text);
        return duplicates ? { value, duplicates } : { value };
      }
      at++;
      const parent = outer.pop();
      if (parent === undefined) {
        object = array = undefined;
      } else {
        key = outerKeys.pop()!;
        if (Array.isArray(parent)) {
          object = undefined;
          array = parent;
        } else {
          object = parent;
          array = undefined;
        }
      }
    }
    at++;
    if (text.charCodeAt(at) <= SPACE) at = skipSpace(text, at);
  }
}

/** The position after an object or array that is known to be well formed. */
export function endOfContainer(text: string, start: number): number {
  const end = endOf(text, start, 0);
  return end < 0 ? fail(text) : end;
}

/** Whether the object that the text starts inside of is still open at the end of the text. */
export function isIncomplete(text: string): boolean {
  return endOf(text, 0, 1) < 0;
}

/** Returns -1 if the text ends before. */
function endOf(text: string, start: number, depthThere: number): number {
  let depth = depthThere;
  let at = start;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) {
      at = text.indexOf('"', at + 1);
      while (at > 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
      if (at < 0) return -1;
    } else if ((c | BRACKET_TO_BRACE) === OPEN_BRACE) depth++;
    else if ((c | BRACKET_TO_BRACE) === CLOSE_BRACE && --depth === 0) return at + 1;
    else if (Number.isNaN(c)) return -1;
    at++;
  }
}

/** Whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** Leaves the position after the number in `number.lastIndex`. */
function readNumber(text: string, at: number): number | RawNumber {
  number.lastIndex = at;
  const written = number.exec(text)?.[0];
  if (written === undefined) fail(text);
  const parsed = Number(written);
  return String(parsed) === written ? parsed : new RawNumber(written);
}

function skipSpace(text: string, at: number): number {
  for (;;) {
    const c = text.charCodeAt(at);
    if (c !== SPACE && c !== NEWLINE && c !== RETURN && c !== TAB) return at;
    at++;
  }
}

/** The position of the closing quote. `at` is inside the string and not within an escape sequence. */
export function endOfString(text: string, at: number): number {
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) return at;
    // At the end of the text `c` is NaN.
    if (!(c >= SPACE)) fail(text);
    if (c !== BACKSLASH) {
      at++;
    } else if (text.charCodeAt(at + 1) === QUOTE) {
      at += 2;
    } else {
      escapeSequence.lastIndex = at;
      if (!escapeSequence.test(text)) fail(text);
      at = escapeSequence.lastIndex;
    }
  }
}

const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Unescapes the content of a string that `endOfString` has validated. */
function withoutEscapes(inside: string): string {
  const plain = JSON.parse(`"${inside}"`) as string;
  // Only an escape can produce a lone surrogate; Go reads it as U+FFFD.
  return inside.includes('\\u') ? plain.replace(/[\ud800-\udfff]/gu, '\ufffd') : plain;
}

function fail(text: string): never {
  throw new JsonSyntaxError(describeSyntaxError(text, maxNesting));
}

/** Records the duplicate key and returns the merged value. */
function addDuplicate(
  duplicates: Duplicates,
  object: JsonObject,
  key: string,
  second: JsonValue,
  lastStays: boolean,
): JsonValue {
  const keys = duplicates.get(object);
  if (keys) keys.add(key);
  else duplicates.set(object, new Set([key]));
  const first = object[key]!;
  if (lastStays || !isObject(first) || !isObject(second)) return second;
  const pending: [JsonObject, JsonObject][] = [[first, second]];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [into, from] = pair;
    const repeated = duplicates.get(from);
    if (repeated) duplicates.set(into, new Set([...(duplicates.get(into) ?? []), ...repeated]));
    for (const [name, value] of Object.entries(from)) {
      const there = into[name];
      if (isObject(there) && isObject(value)) pending.push([there, value]);
      else into[name] = value;
    }
  }
  return first;
}
