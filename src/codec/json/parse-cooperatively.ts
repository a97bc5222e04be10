// Cooperative JSON parsing: large documents are parsed over several event loop turns.
import type { CooperativeTask, CooperativeYield } from '../../base/cooperative-yield.ts';
import { type JsonObject, type JsonValue, nullPrototypeObject } from './json-value.ts';
import { endOfString, parseJson } from './parse.ts';

/** At most this many characters are parsed without yielding to the event loop. */
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
 * Parses JSON without whitespace, as schemas write it. Consecutive small members are parsed in one step, large members
 * in several. Without `yielder` it parses synchronously.
 */
export function* parseJsonCooperatively(
  text: string,
  yielder: CooperativeYield | undefined,
): CooperativeTask<JsonValue> {
  if (!yielder || text.length <= maxStepChars) return parseJson(text).value;
  const endByStart = yield* findLargeContainers(text, yielder);
  return endByStart.has(0)
    ? yield* new CooperativeParser(text, endByStart, yielder).parseContainer(0)
    : parseJson(text).value;
}

/** End positions of arrays and objects that are too large for one step, by start position. */
function* findLargeContainers(
  text: string,
  yielder: CooperativeYield,
): CooperativeTask<ReadonlyMap<number, number>> {
  const endByStart = new Map<number, number>();
  const openStarts: number[] = [];
  let nextCheck = checkIntervalChars;
  for (let index = 0; index < text.length; index++) {
    const c = text.charCodeAt(index);
    if (c === quote) index = endOfString(text, index + 1);
    else if (c === openBrace || c === openBracket) openStarts.push(index);
    else if (c === closeBrace || c === closeBracket) {
      const start = openStarts.pop()!;
      if (index - start >= maxStepChars) endByStart.set(start, index + 1);
    }
    if (index < nextCheck) continue;
    nextCheck = index + checkIntervalChars;
    const pause = yielder.next();
    if (pause) yield pause;
  }
  return endByStart;
}

class CooperativeParser {
  readonly #text: string;
  readonly #endByStart: ReadonlyMap<number, number>;
  readonly #yielder: CooperativeYield;

  constructor(text: string, endByStart: ReadonlyMap<number, number>, yielder: CooperativeYield) {
    this.#text = text;
    this.#endByStart = endByStart;
    this.#yielder = yielder;
  }

  /** Parses a large array or object. */
  *parseContainer(start: number): CooperativeTask<JsonObject | JsonValue[]> {
    const text = this.#text;
    const closingIndex = this.#endByStart.get(start)! - 1;
    const container: JsonObject | JsonValue[] =
      text.charCodeAt(start) === openBrace ? nullPrototypeObject() : [];
    // Small members before `index` that are not parsed yet start here.
    let pendingStart = start + 1;
    for (let index = pendingStart; index < closingIndex; index++) {
      const memberStart = index;
      // Moves from the key to the value, over the closing quote and the colon.
      if (!Array.isArray(container)) index = endOfString(text, index + 1) + 2;
      const isLarge = this.#endByStart.has(index);
      if (isLarge || index - pendingStart > maxStepChars) {
        this.#parseMembers(container, pendingStart, memberStart - 1);
        pendingStart = memberStart;
        const pause = this.#yielder.next();
        if (pause) yield pause;
      }
      if (!isLarge) {
        index = this.#endOfSmallValue(index);
        continue;
      }
      const value = yield* this.parseContainer(index);
      if (Array.isArray(container)) container.push(value);
      else container[JSON.parse(text.slice(memberStart, index - 1)) as string] = value;
      index = this.#endByStart.get(index)!;
      pendingStart = index + 1;
    }
    this.#parseMembers(container, pendingStart, closingIndex);
    return container;
  }

  /** Parses the members in a range of the text, which may be empty, into the container. */
  #parseMembers(container: JsonObject | JsonValue[], start: number, end: number): void {
    if (start >= end) return;
    const members = this.#text.slice(start, end);
    if (Array.isArray(container)) {
      for (const value of parseJson(`[${members}]`).value as JsonValue[]) container.push(value);
      return;
    }
    const parsed = parseJson(`{${members}}`).value as JsonObject;
    for (const key in parsed) container[key] = parsed[key]!;
  }

  /** The position of the comma or closing bracket after a small value. */
  #endOfSmallValue(start: number): number {
    const text = this.#text;
    let depth = 0;
    for (let index = start; ; index++) {
      const c = text.charCodeAt(index);
      if (c === quote) index = endOfString(text, index + 1);
      else if (c === openBrace || c === openBracket) depth++;
      else if (c === comma && depth === 0) return index;
      else if ((c === closeBrace || c === closeBracket) && depth-- === 0) return index;
    }
  }
}
