import { extensionsOf } from '../api/apiextensions/json-schema.ts';
import type { ValueTerms } from '../api/apiextensions/patterns.ts';
import { isObject } from '../codec/json/json-value.ts';
import { type FieldError, required } from '../errors/field-error.ts';
import type { Part } from './parts.ts';

/** What an object of the API within another does not say of what it is. */
export function missingType({ value, schema, path }: Part, terms: ValueTerms): FieldError[] {
  if (!isObject(value) || !extensionsOf(schema, terms).embeddedResource) return [];
  return ['apiVersion', 'kind']
    .filter((field) => !value[field])
    .map((field) => required(`${path}.${field}`, 'must not be empty'));
}
