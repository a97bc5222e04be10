// JSONPath of printer columns and selectable fields: parser and evaluation. A missing value selects nothing, and is no error.
import { isObject, type JsonValue, RawNumber } from '../codec/json/json-value.ts';

/** Bounds the time to parse a path. */
const maxPathLength = 2_000;

/** One step of a path: maps values to the values that it selects in them. */
type PathStep = (values: readonly JsonValue[]) => JsonValue[];

/** A path such as `.spec.replicas` or `.status.conditions[?(@.type=="Ready")].status`. */
export class JsonPath {
  readonly #steps: readonly PathStep[];

  private constructor(steps: readonly PathStep[]) {
    this.#steps = steps;
  }

  /** Undefined for an invalid path. */
  static parse(text: string): JsonPath | undefined {
    if (text.length > maxPathLength) return undefined;
    const steps: PathStep[] = [];
    const reader = new PathReader(text.replace(/^\$/, ''));
    while (!reader.isAtEnd) {
      const step = readStep(reader);
      if (!step) return undefined;
      steps.push(step);
    }
    // Two recursive descents (`..a..b`) would visit values many times.
    if (reader.descents > 1) return undefined;
    return new JsonPath(steps);
  }

  /** All values that the path selects. */
  find(value: JsonValue): readonly JsonValue[] {
    let selected: readonly JsonValue[] = [value];
    for (const step of this.#steps) {
      if (selected.length === 0) break;
      selected = step(selected);
    }
    return selected;
  }
}

class PathReader {
  readonly #text: string;
  #offset = 0;
  /** The number of recursive descents (`..name`). */
  descents = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#text.length;
  }

  /** Consumes the match of a sticky pattern at the current offset. */
  accept(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#offset = pattern.lastIndex;
    return match;
  }
}

/** Reads the next step; undefined if the text is invalid there. */
function readStep(reader: PathReader): PathStep | undefined {
  const dotted = reader.accept(/\.((?:[^.[\]\\\s]|\\.)+)/y);
  if (dotted) return dotted[1] === '*' ? everyMember : member(dotted[1]!.replace(/\\(.)/g, '$1'));
  const descent = reader.accept(/\.\.([^.[\]\s]+)/y);
  if (descent) {
    reader.descents++;
    return (values) => values.flatMap((value) => descendants(value, descent[1]!));
  }
  const quoted = reader.accept(/\[\s*(?:'([^']*)'|"([^"]*)")\s*\]/y);
  if (quoted) return member(quoted[1] ?? quoted[2]!);
  if (reader.accept(/\[\s*\*\s*\]/y)) return everyMember;
  const index = reader.accept(/\[\s*(-?\d+)\s*\]/y);
  if (index) return (values) => values.flatMap((value) => itemAt(value, Number(index[1])));
  const slice = reader.accept(/\[\s*(-?\d*)\s*:\s*(-?\d*)\s*\]/y);
  if (slice) return (values) => values.flatMap((value) => sliceItems(value, slice[1]!, slice[2]!));
  const filter = reader.accept(
    /\[\?\(\s*@((?:\.[^.\s=!<>)[\]]+)*)\s*(?:(==|!=|<=|>=|<|>)\s*([^)]+?)\s*)?\)\]/y,
  );
  return filter && filterBy(filter[1]!, filter[2], filter[3]);
}

const member =
  (name: string): PathStep =>
  (values) =>
    values.flatMap((value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]!] : []));

const everyMember: PathStep = (values) =>
  values.flatMap((value) => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []));

/** A negative index counts from the end. */
function itemAt(value: JsonValue, index: number): JsonValue[] {
  const item = Array.isArray(value) ? value.at(index) : undefined;
  return item === undefined ? [] : [item];
}

/** `[1:3]`: an omitted bound is ''. */
function sliceItems(value: JsonValue, from: string, to: string): JsonValue[] {
  if (!Array.isArray(value)) return [];
  return value.slice(from === '' ? undefined : Number(from), to === '' ? undefined : Number(to));
}

/** The values of every member of this name, at any depth. */
function descendants(value: JsonValue, name: string): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item) => descendants(item, name));
  if (!isObject(value)) return [];
  const direct = Object.hasOwn(value, name) ? [value[name]!] : [];
  return [...direct, ...Object.values(value).flatMap((inner) => descendants(inner, name))];
}

/** `[?(@.type=="Ready")]`: keeps the items of a list whose value at `path` compares to the literal, or exists. */
function filterBy(
  path: string,
  operator: string | undefined,
  literalText: string | undefined,
): PathStep | undefined {
  const itemPath = JsonPath.parse(path);
  if (!itemPath) return undefined;
  const isKept = (item: JsonValue) => {
    const selected = itemPath.find(item);
    if (operator === undefined || literalText === undefined) return selected.length > 0;
    return selected.some((value) => satisfies(value, operator, literalText));
  };
  return (values) => values.flatMap((value) => (Array.isArray(value) ? value.filter(isKept) : []));
}

function satisfies(value: JsonValue, operator: string, literalText: string): boolean {
  const quoted = /^(?:'([^']*)'|"([^"]*)")$/.exec(literalText);
  const expected = quoted ? (quoted[1] ?? quoted[2]!) : parseLiteral(literalText);
  // RawNumber: a number that JavaScript cannot represent exactly.
  const actual = value instanceof RawNumber ? Number(value) : value;
  if (typeof actual !== typeof expected || typeof actual === 'object') return operator === '!=';
  switch (operator) {
    case '==':
      return actual === expected;
    case '!=':
      return actual !== expected;
    case '<':
      return (actual as number) < (expected as number);
    case '<=':
      return (actual as number) <= (expected as number);
    case '>':
      return (actual as number) > (expected as number);
    default:
      return (actual as number) >= (expected as number);
  }
}

function parseLiteral(literalText: string): string | number | boolean {
  if (literalText === 'true' || literalText === 'false') return literalText === 'true';
  const number = Number(literalText);
  return Number.isNaN(number) ? literalText : number;
}
