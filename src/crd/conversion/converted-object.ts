// Conversion webhooks: validates an object that a webhook returned.
import {
  isObject,
  type JsonObject,
  type JsonValue,
  nullPrototypeObject,
  RawNumber,
} from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { type FieldError, fieldErrorBody } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindVersion, Unconverted } from '../../kind/definition.ts';
import type { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { validateAnnotations, validateLabels } from '../../kind/meta/validation.ts';
import { pruned } from '../../kind/storage/convert.ts';
import { ConversionFailed } from './conversion-failed.ts';

/**
 * Decodes a returned object in the requested version. A webhook may change only labels and annotations of the metadata: the
 * other fields are those of the original object. Throws ConversionFailed.
 */
export function decodeConvertedObject(
  { object, from }: Unconverted,
  returned: JsonValue | undefined,
  index: number,
  to: KindVersion,
): ApiObject {
  const value: JsonObject = isObject(returned) ? returned : {};
  if (stringField(value, 'kind') === '') {
    const message = `Object 'Kind' is missing in '${stringifyJson(returned ?? null)}'`;
    throw new ConversionFailed('invalid_converted_object', message, { isCompleteMessage: true });
  }
  const location = `returned invalid object at index ${index}`;
  const version = stringField(value, 'apiVersion');
  if (version !== to.apiVersion) {
    throw invalidObjectError(
      `${location}: invalid groupVersion (expected ${to.apiVersion}, received ${version})`,
    );
  }
  const kind = stringField(value, 'kind');
  if (kind !== from.kind)
    throw invalidObjectError(`${location}: invalid kind (expected ${from.kind}, received ${kind})`);
  const metadata: JsonObject = isObject(value.metadata) ? value.metadata : {};
  assertSameIdentity(object.metadata, metadata);
  return pruned({ ...value, metadata: mergeMetadata(object.metadata, metadata) } as unknown as ApiObject, to);
}

const invalidObjectError = (reason: string) => new ConversionFailed('invalid_converted_object', reason);

function stringField(value: JsonObject, key: string): string {
  const text = Object.hasOwn(value, key) ? value[key] : '';
  return typeof text === 'string' ? text : '';
}

function assertSameIdentity(original: ApiObject['metadata'], returned: JsonObject): void {
  for (const [key, label] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [expected, received] = [original[key] ?? '', stringField(returned, key)];
    if (expected !== received)
      throw invalidObjectError(
        `returned invalid object: must have the same ${label}: ${expected} != ${received}`,
      );
  }
}

/** The original metadata with the returned labels and annotations. Throws if these are invalid. */
function mergeMetadata(original: ApiObject['metadata'], returned: JsonObject): ApiObject['metadata'] {
  const { labels: _labels, annotations: _annotations, ...otherMetadata } = original;
  const errors: FieldError[] = [];
  const labels = stringMapField(returned, 'labels');
  if (labels) validateLabels(labels, 'metadata.labels', errors);
  const annotations = stringMapField(returned, 'annotations');
  if (annotations) validateAnnotations(annotations, 'metadata.annotation', errors);
  if (errors.length > 0) {
    const texts = errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
    throw invalidMetadataError(texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`);
  }
  return { ...otherMetadata, ...(labels && { labels }), ...(annotations && { annotations }) } as ObjectMeta &
    ApiObject['metadata'];
}

const invalidMetadataError = (reason: string) => invalidObjectError(`returned invalid metadata: ${reason}`);

function stringMapField(metadata: JsonObject, field: string): Record<string, string> | undefined {
  const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) {
    throw invalidMetadataError(`invalid metadata.${field} of type ${goType(value)} in converted object`);
  }
  const texts = nullPrototypeObject() as Record<string, string>;
  for (const key of Object.keys(value)) {
    const text = value[key]!;
    if (typeof text !== 'string') {
      const reason = `must be a string, but is ${goType(text)} in converted object`;
      throw invalidMetadataError(`metadata.${field}[${key}] ${reason}`);
    }
    texts[key] = text;
  }
  return texts;
}

/** The Go type of a JSON value, as upstream's messages name it. */
function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (value instanceof RawNumber) return /^-?\d+$/.test(value.text) ? 'int64' : 'float64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map[string]interface {}';
}
