import type { JsonValue } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { type FieldError, notSupported } from '../../errors/field-error.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import { shownValue } from './shown-value.ts';

/** The values that a schema lists. */
class AllowedValues {
  readonly #texts: ReadonlySet<string>;
  readonly #refusal: FieldError;

  constructor(values: readonly JsonValue[]) {
    this.#texts = new Set(values.map((value) => stringifyJson(value)));
    // The list may be long: it is put into words once.
    const shown = values.map((value) => (typeof value === 'string' ? value : stringifyJson(value)));
    this.#refusal = notSupported('', '', shown);
  }

  /** Values are canonical JSON, so equal texts are equal values; a fraction counts as the whole number before it. */
  has(value: JsonValue): boolean {
    if (typeof value === 'number' && this.#texts.has(stringifyJson(Math.trunc(value)))) return true;
    return this.#texts.has(stringifyJson(value));
  }

  refusal(field: string, value: JsonValue): FieldError {
    return { ...this.#refusal, field, value: shownValue(value) };
  }
}

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
