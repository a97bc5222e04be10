/** What JSON text stands for. Objects have nothing on their prototype, so any key, also `__proto__`, is an ordinary one. */
export type JsonValue = string | number | boolean | null | RawNumber | JsonText | JsonValue[] | JsonObject;

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
    notExactlyWritten++;
    return Number(this.text);
  }
}

/** JSON that nobody has looked into: it is kept as the text that it is, without spaces. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): null {
    notExactlyWritten++;
    return null;
  }
}

let notExactlyWritten = 0;

/** How often something has passed through JSON.stringify that it does not write exactly: `stringifyJson` then takes more care. */
export function countNotExactlyWritten(): number {
  return notExactlyWritten;
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
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof RawNumber) &&
    !(value instanceof JsonText)
  );
}

/** A deep copy, with objects that have nothing on their prototype. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof RawNumber || value instanceof JsonText) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const copy = Object.getPrototypeOf(value) === Object.prototype ? {} : userKeyed<unknown>();
  for (const key in value) (copy as Record<string, unknown>)[key] = copyJson(value[key]);
  return copy as T;
}
