// Custom resource validation: enum.
import type { JsonValue } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { type FieldError, notSupported } from '../../errors/field-error.ts';
import { formatInvalidValue } from '../../errors/format-invalid-value.ts';
import type { JSONSchemaProps } from './json-schema.ts';

/** The values that a schema lists. */
class AllowedValues {
  readonly #values: readonly JsonValue[];
  /** Scalars, and lists and objects as canonical JSON: equal texts are equal values. */
  readonly #plain = new Set<JsonValue>();
  readonly #texts = new Set<string>();
  #refusal: FieldError | undefined;

  constructor(values: readonly JsonValue[]) {
    this.#values = values;
    for (const value of values) {
      if (isPlain(value)) this.#plain.add(value);
      else this.#texts.add(stringifyJson(value));
    }
  }

  /** A fraction counts as the whole number before it. */
  has(value: JsonValue): boolean {
    if (typeof value === 'number' && this.#plain.has(Math.trunc(value))) return true;
    return isPlain(value) ? this.#plain.has(value) : this.#texts.has(stringifyJson(value));
  }

  refusal(field: string, value: JsonValue): FieldError {
    // The list may be long: it is put into words once.
    this.#refusal ??= notSupported('', '', this.#values.slice(0, mostShown).map(shown));
    const more = this.#values.length - mostShown;
    const detail = more > 0 ? `${this.#refusal.detail}, and ${more} more` : this.#refusal.detail;
    return { ...this.#refusal, detail, field, value: formatInvalidValue(value) };
  }
}

/** The number of values that an error message lists. */
const mostShown = 10_000;

const shown = (value: JsonValue) => (typeof value === 'string' ? value : stringifyJson(value));

const isPlain = (value: JsonValue) => typeof value !== 'object' || value === null;

const known = new WeakMap<JSONSchemaProps, AllowedValues>();

/** The values that a schema lists, which must be some. */
export function allowedBy(schema: JSONSchemaProps): AllowedValues {
  let allowed = known.get(schema);
  if (!allowed) {
    allowed = new AllowedValues(schema.enum ?? []);
    known.set(schema, allowed);
  }
  return allowed;
}
