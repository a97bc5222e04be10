// Cooperative JSON parsing: large documents are parsed over several event loop turns.
import type { CooperativeYield, Work } from '../../base/cooperative-yield.ts';
import { type JsonObject, type JsonValue, nullPrototypeObject } from './json-value.ts';
import { endOfString, parseJson } from './parse.ts';

/** Characters parsed without yielding. */
const maxStepChars = 64 * 1024;
/** Characters scanned between two checks of the time budget. */
const checkIntervalChars = 64 * 1024;

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Parses compact JSON, as schemas write it. Parses small members together with their neighbours, and splits large
 * ones. Without `yielder` it parses synchronously.
 */
export function* parseJsonCooperatively(
  text: string,
  yielder: CooperativeYield | undefined,
): Work<JsonValue> {
  if (!yielder || text.length <= maxStepChars) return parseJson(text).value;
  const ends = yield* findLargeContainers(text, yielder);
  return ends.has(0) ? yield* new CooperativeParser(text, ends, yielder).container(0) : parseJson(text).value;
}

/** End positions of arrays and objects that are too large for one step, by start position. */
function* findLargeContainers(text: string, yielder: CooperativeYield): Work<ReadonlyMap<number, number>> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let nextCheck = checkIntervalChars;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === quote) at = endOfString(text, at + 1);
    else if (c === openBrace || c === openBracket) open.push(at);
    else if (c === closeBrace || c === closeBracket) {
      const start = open.pop()!;
      if (at - start >= maxStepChars) ends.set(start, at + 1);
    }
    if (at < nextCheck) continue;
    nextCheck = at + checkIntervalChars;
    const stop = yielder.next();
    if (stop) yield stop;
  }
  return ends;
}

class CooperativeParser {
  readonly #text: string;
  readonly #ends: ReadonlyMap<number, number>;
  readonly #turns: CooperativeYield;

  constructor(text: string, ends: ReadonlyMap<number, number>, yielder: CooperativeYield) {
    this.#text = text;
    this.#ends = ends;
    this.#turns = yielder;
  }

  /** Parses a large array or object. */
  *container(start: number): Work<JsonObject | JsonValue[]> {
    const text = this.#text;
    const end = this.#ends.get(start)! - 1;
    const into: JsonObject | JsonValue[] = text.charCodeAt(start) === openBrace ? nullPrototypeObject() : [];
    let from = start + 1;
    for (let at = from; at < end; at++) {
      const member = at;
      if (!Array.isArray(into)) at = endOfString(text, at + 1) + 2;
      const isLarge = this.#ends.has(at);
      if (isLarge || at - from > maxStepChars) {
        this.#parse(into, from, member - 1);
        from = member;
        const stop = this.#turns.next();
        if (stop) yield stop;
      }
      if (!isLarge) {
        at = this.#endOfSmall(at);
        continue;
      }
      const value = yield* this.container(at);
      if (Array.isArray(into)) into.push(value);
      else into[JSON.parse(text.slice(member, at - 1)) as string] = value;
      at = this.#ends.get(at)!;
      from = at + 1;
    }
    this.#parse(into, from, end);
    return into;
  }

  /** Parses a range of members, which may be empty. */
  #parse(into: JsonObject | JsonValue[], from: number, to: number): void {
    if (from >= to) return;
    const members = this.#text.slice(from, to);
    if (Array.isArray(into)) {
      for (const value of parseJson(`[${members}]`).value as JsonValue[]) into.push(value);
      return;
    }
    const parsed = parseJson(`{${members}}`).value as JsonObject;
    for (const key in parsed) into[key] = parsed[key]!;
  }

  /** The position of the comma or closing bracket after a small value. */
  #endOfSmall(start: number): number {
    const text = this.#text;
    let depth = 0;
    for (let at = start; ; at++) {
      const c = text.charCodeAt(at);
      if (c === quote) at = endOfString(text, at + 1);
      else if (c === openBrace || c === openBracket) depth++;
      else if (c === comma && depth === 0) return at;
      else if ((c === closeBrace || c === closeBracket) && depth-- === 0) return at;
    }
  }
}
