// JSON values in memory, with exact numbers and unparsed text.

/** Objects have a null prototype, so any key, including `__proto__`, is ordinary. */
export type JsonValue = string | number | boolean | null | RawNumber | JsonText | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** A number literal that JavaScript cannot represent exactly: `9223372036854775807`, `1.0`, `1e400`. */
export class RawNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The nearest JavaScript number, for comparison and arithmetic. */
  valueOf(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): number {
    inexactWrites++;
    return Number(this.text);
  }
}

/** Unparsed JSON, kept as compact text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): null {
    inexactWrites++;
    return null;
  }
}

let inexactWrites = 0;

/**
 * How often JSON.stringify has called a toJSON above, which cannot write the exact text. `stringifyJson` compares the count
 * before and after a call, and serializes again if it has changed.
 */
export function inexactWriteCount(): number {
  return inexactWrites;
}

/**
 * Instances have a frozen prototype that inherits from nothing. `Object.create(null)` would be as safe, but V8 puts
 * such objects into dictionary mode, and building one takes three times as long.
 */
const NullPrototypeObject = function NullPrototypeObject() {} as unknown as new () => JsonObject;
NullPrototypeObject.prototype = Object.freeze(Object.create(null));

/** Creates an empty object without inherited properties, for keys that clients choose. */
export function nullPrototypeObject<T = JsonValue>(): Record<string, T> {
  return new NullPrototypeObject() as unknown as Record<string, T>;
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

/** A deep copy; objects keep a null prototype. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof RawNumber || value instanceof JsonText) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const copy = Object.getPrototypeOf(value) === Object.prototype ? {} : nullPrototypeObject<unknown>();
  for (const key in value) (copy as Record<string, unknown>)[key] = copyJson(value[key]);
  return copy as T;
}
