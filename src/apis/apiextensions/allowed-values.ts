// Custom resource validation: the values that a schema's `enum` allows.
import type { JsonValue } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { type FieldError, notSupported } from '../../errors/field-error.ts';
import { formatInvalidValue } from '../../errors/format-invalid-value.ts';
import type { JSONSchemaProps } from './json-schema.ts';

class AllowedValues {
  readonly #values: readonly JsonValue[];
  readonly #scalars = new Set<JsonValue>();
  /** Lists and objects, which are compared by their canonical JSON. */
  readonly #jsonTexts = new Set<string>();
  #error: FieldError | undefined;

  constructor(values: readonly JsonValue[]) {
    this.#values = values;
    for (const value of values) {
      if (isScalar(value)) this.#scalars.add(value);
      else this.#jsonTexts.add(stringifyJson(value));
    }
  }

  /** Like kube-apiserver, matches a number with a fraction if its integer part is allowed. */
  has(value: JsonValue): boolean {
    if (typeof value === 'number' && this.#scalars.has(Math.trunc(value))) return true;
    return isScalar(value) ? this.#scalars.has(value) : this.#jsonTexts.has(stringifyJson(value));
  }

  notSupportedError(field: string, value: JsonValue): FieldError {
    // The list may be long, so the message is built once.
    this.#error ??= notSupported('', '', this.#values.slice(0, maxListedValues).map(formatValue));
    const unlistedCount = this.#values.length - maxListedValues;
    const detail =
      unlistedCount > 0 ? `${this.#error.detail}, and ${unlistedCount} more` : this.#error.detail;
    return { ...this.#error, detail, field, value: formatInvalidValue(value) };
  }
}

/** The number of values that an error message lists. */
const maxListedValues = 10_000;

const formatValue = (value: JsonValue) => (typeof value === 'string' ? value : stringifyJson(value));

const isScalar = (value: JsonValue) => typeof value !== 'object' || value === null;

const cache = new WeakMap<JSONSchemaProps, AllowedValues>();

/** Cached, because an enum may have many values. */
export function allowedValuesOf(schema: JSONSchemaProps): AllowedValues {
  let allowed = cache.get(schema);
  if (!allowed) {
    allowed = new AllowedValues(schema.enum ?? []);
    cache.set(schema, allowed);
  }
  return allowed;
}
