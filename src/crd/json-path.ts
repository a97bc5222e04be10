// JSONPath of printer columns.
import { isObject, type JsonValue, RawNumber } from '../codec/json/json-value.ts';

/** A longer path would take long to read, and says nothing that a shorter one cannot. */
const longest = 2_000;

/** One step of a path: from values to what they lead to. */
type Step = (values: readonly JsonValue[]) => JsonValue[];

/** Where in an object something is: `.spec.replicas`, `.status.conditions[?(@.type=="Ready")].status`. */
export class JsonPath {
  readonly #steps: readonly Step[];

  private constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** Undefined where the text is no path. */
  static parse(text: string): JsonPath | undefined {
    if (text.length > longest) return undefined;
    const steps: Step[] = [];
    const reader = new Reader(text.replace(/^\$/, ''));
    while (!reader.isAtEnd) {
      const step = readStep(reader);
      if (!step) return undefined;
      steps.push(step);
    }
    // What lies below what lies below comes many times over.
    if (reader.descents > 1) return undefined;
    return new JsonPath(steps);
  }

  /** All that the path leads to. */
  find(value: JsonValue): readonly JsonValue[] {
    let found: readonly JsonValue[] = [value];
    for (const step of this.#steps) {
      if (found.length === 0) break;
      found = step(found);
    }
    return found;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;
  /** How many steps lead to any depth. */
  descents = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Takes what matches here, and nothing else. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#at = pattern.lastIndex;
    return match;
  }
}

function readStep(reader: Reader): Step | undefined {
  const named = reader.take(/\.((?:[^.[\]\\\s]|\\.)+)/y);
  if (named) return named[1] === '*' ? everyMember : member(named[1]!.replace(/\\(.)/g, '$1'));
  const deep = reader.take(/\.\.([^.[\]\s]+)/y);
  if (deep) {
    reader.descents++;
    return (values) => values.flatMap((value) => below(value, deep[1]!));
  }
  const quoted = reader.take(/\[\s*(?:'([^']*)'|"([^"]*)")\s*\]/y);
  if (quoted) return member(quoted[1] ?? quoted[2]!);
  if (reader.take(/\[\s*\*\s*\]/y)) return everyMember;
  const index = reader.take(/\[\s*(-?\d+)\s*\]/y);
  if (index) return (values) => values.flatMap((value) => element(value, Number(index[1])));
  const slice = reader.take(/\[\s*(-?\d*)\s*:\s*(-?\d*)\s*\]/y);
  if (slice) return (values) => values.flatMap((value) => sliceOf(value, slice[1]!, slice[2]!));
  const filter = reader.take(
    /\[\?\(\s*@((?:\.[^.\s=!<>)[\]]+)*)\s*(?:(==|!=|<=|>=|<|>)\s*([^)]+?)\s*)?\)\]/y,
  );
  return filter && filterBy(filter[1]!, filter[2], filter[3]);
}

const member =
  (name: string): Step =>
  (values) =>
    values.flatMap((value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]!] : []));

const everyMember: Step = (values) =>
  values.flatMap((value) => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []));

function element(value: JsonValue, index: number): JsonValue[] {
  const found = Array.isArray(value) ? value.at(index) : undefined;
  return found === undefined ? [] : [found];
}

function sliceOf(value: JsonValue, from: string, to: string): JsonValue[] {
  if (!Array.isArray(value)) return [];
  return value.slice(from === '' ? undefined : Number(from), to === '' ? undefined : Number(to));
}

function below(value: JsonValue, name: string): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item) => below(item, name));
  if (!isObject(value)) return [];
  const own = Object.hasOwn(value, name) ? [value[name]!] : [];
  return [...own, ...Object.values(value).flatMap((inner) => below(inner, name))];
}

function filterBy(path: string, operator: string | undefined, text: string | undefined): Step | undefined {
  const inner = JsonPath.parse(path);
  if (!inner) return undefined;
  const keeps = (item: JsonValue) => {
    const found = inner.find(item);
    if (operator === undefined || text === undefined) return found.length > 0;
    return found.some((value) => holds(value, operator, text));
  };
  return (values) => values.flatMap((value) => (Array.isArray(value) ? value.filter(keeps) : []));
}

function holds(value: JsonValue, operator: string, text: string): boolean {
  const quoted = /^(?:'([^']*)'|"([^"]*)")$/.exec(text);
  const other = quoted ? (quoted[1] ?? quoted[2]!) : literal(text);
  const mine = value instanceof RawNumber ? Number(value) : value;
  if (typeof mine !== typeof other || typeof mine === 'object') return operator === '!=';
  switch (operator) {
    case '==':
      return mine === other;
    case '!=':
      return mine !== other;
    case '<':
      return (mine as number) < (other as number);
    case '<=':
      return (mine as number) <= (other as number);
    case '>':
      return (mine as number) > (other as number);
    default:
      return (mine as number) >= (other as number);
  }
}

function literal(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}
