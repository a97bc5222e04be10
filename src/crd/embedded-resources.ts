// Custom resources: validates objects that a schema marks as embedded resources.
import { extensionsOf } from '../apis/apiextensions/json-schema.ts';
import type { ValueValidationOptions } from '../apis/apiextensions/patterns.ts';
import { isObject, type JsonValue } from '../codec/json/json-value.ts';
import { type FieldError, invalid, required } from '../errors/field-error.ts';
import type { ObjectMeta } from '../kind/meta/object-meta.ts';
import { validateMetadata } from '../kind/meta/validation.ts';
import { dnsLabel1035, nameIsPathSegment } from '../schema/names.ts';
import type { ExtensionValue } from './extension-values.ts';

/** Validates apiVersion, kind and metadata of an embedded resource. */
export function validateEmbedded(
  { value, schema, path }: ExtensionValue,
  options: ValueValidationOptions,
): FieldError[] {
  if (!isObject(value) || !extensionsOf(schema, options).embeddedResource) return [];
  return [
    ...validateText(value.apiVersion, `${path}.apiVersion`, apiVersionProblems),
    ...validateText(value.kind, `${path}.kind`, kindProblems),
    ...(isObject(value.metadata) ? validateOwnMetadata(value.metadata as unknown as ObjectMeta, path) : []),
  ];
}

function validateText(
  text: JsonValue | undefined,
  path: string,
  problems: (text: string) => string[],
): FieldError[] {
  if (typeof text !== 'string') return [required(path, 'must not be empty')];
  const messages = text === '' ? ['must not be empty'] : problems(text);
  return messages.map((problem) => invalid(path, text, problem));
}

const apiVersionProblems = (apiVersion: string) =>
  apiVersion.split('/').length > 2 ? [`unexpected GroupVersion string: ${apiVersion}`] : [];

const kindProblems = (kind: string) =>
  dnsLabel1035(kind.toLowerCase()).map(
    (problem) => `may have mixed case, but should otherwise match: ${problem}`,
  );

/** An embedded resource needs no name, because the controller that creates it may set one: a placeholder stands for it. */
function validateOwnMetadata(metadata: ObjectMeta, path: string): FieldError[] {
  const withName = metadata.name ? metadata : { ...metadata, name: 'none' };
  const errors = validateMetadata(withName, {
    namespaced: !!metadata.namespace,
    nameRule: nameIsPathSegment,
  });
  return errors.map((error) => ({
    ...error,
    field: `${path}.${error.field}`,
  }));
}
