/** What JSON text stands for. Objects have nothing on their prototype, so any key, also `__proto__`, is an ordinary one. */
export type JsonValue = string | number | boolean | null | RawNumber | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** A number that JavaScript's own would not give back as it was written: `9223372036854775807`, `1.0`, `1e400`. */
export class RawNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The nearest JavaScript number, so that `<` and arithmetic work. */
  valueOf(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): number {
    rawNumbersWritten++;
    return Number(this.text);
  }
}

let rawNumbersWritten = 0;

/** How often a RawNumber has passed through JSON.stringify: it tells `stringifyJson` that the text is not exact. */
export function countRawNumbersWritten(): number {
  return rawNumbersWritten;
}

/**
 * Instances have an empty prototype. `Object.create(null)` would be as safe, but V8 makes hash tables of such
 * objects, and building one takes three times as long.
 */
const UserKeyed = function UserKeyed() {} as unknown as new () => JsonObject;
UserKeyed.prototype = Object.freeze(Object.create(null));

/** An empty object for keys that a client chooses. */
export function userKeyed<T = JsonValue>(): Record<string, T> {
  return new UserKeyed() as unknown as Record<string, T>;
}

export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawNumber)
  );
}

/** A deep copy, with objects that have nothing on their prototype and RawNumbers as they are. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const copy = Object.getPrototypeOf(value) === Object.prototype ? {} : userKeyed<unknown>();
  for (const key in value) (copy as Record<string, unknown>)[key] = copyJson(value[key]);
  return copy as T;
}
