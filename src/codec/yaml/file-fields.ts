// Reads the fields of an object in a configuration file, with errors that name their path.
import { InvalidDuration, parseDuration } from '../../base/duration.ts';
import { nearest } from '../../base/nearest.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

export class ConfigFileError extends Error {}

export class FileFields {
  readonly #object: JsonObject;
  readonly #path: string;

  /** Throws ConfigFileError if the value is no object or has other fields. */
  constructor(value: JsonValue, path: string, names: readonly string[]) {
    if (!isObject(value)) {
      throw new ConfigFileError(`${path || 'the file'} must be an object with ${names.join(', ')}`);
    }
    this.#object = value;
    this.#path = path === '' ? '' : `${path}.`;
    for (const name of Object.keys(value)) {
      if (names.includes(name)) continue;
      const suggestion = nearest(name, names);
      const hint = suggestion ? `did you mean ${suggestion}?` : `the fields are ${names.join(', ')}`;
      throw new ConfigFileError(`${this.#path}${name}: unknown field (${hint})`);
    }
  }

  pathOf(name: string): string {
    return `${this.#path}${name}`;
  }

  /** Undefined if the field is absent or null. */
  value(name: string): JsonValue | undefined {
    return this.#object[name] ?? undefined;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.#error(name, 'must be a string');
  }

  /** A text that is one of some. */
  choice<T extends string>(name: string, values: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined || (values as readonly string[]).includes(text)) return text as T | undefined;
    throw this.#error(name, `must be one of ${values.join(', ')}`);
  }

  boolean(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.#error(name, 'must be true or false');
  }

  number(name: string, min: number, max: number): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const number = typeof value === 'object' && !Array.isArray(value) ? Number(value) : value;
    if (typeof number === 'number' && number >= min && number <= max) return number;
    throw this.#error(name, `must be a number from ${min} to ${max}`);
  }

  /** In milliseconds. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    try {
      return parseDuration(text);
    } catch (error) {
      if (error instanceof InvalidDuration) throw this.#error(name, error.message);
      throw error;
    }
  }

  /** A text, or a list of texts. */
  texts(name: string): readonly string[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const list = Array.isArray(value) ? value : [value];
    if (list.every((item) => typeof item === 'string')) return list as string[];
    throw this.#error(name, 'must be a string or a list of strings');
  }

  /** Texts by key. */
  textMap(name: string): Readonly<Record<string, string>> | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (isObject(value) && Object.values(value).every((item) => typeof item === 'string')) {
      return value as Record<string, string>;
    }
    throw this.#error(name, 'must be an object with strings');
  }

  object(name: string): JsonObject | undefined {
    const value = this.value(name);
    if (value === undefined || isObject(value)) return value;
    throw this.#error(name, 'must be an object');
  }

  list<T>(name: string, read: (item: JsonValue, path: string) => T): T[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw this.#error(name, 'must be a list');
    return value.map((item, index) => read(item, `${this.pathOf(name)}[${index}]`));
  }

  #error(name: string, problem: string): ConfigFileError {
    return new ConfigFileError(`${this.pathOf(name)}: ${problem}`);
  }
}
