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
 * What a webhook has made of an object, as an object of the version that it was to be in: of its metadata only labels and
 * annotations may be others. Throws ConversionFailed.
 */
export function convertedObject(
  { object, from }: Unconverted,
  made: JsonValue | undefined,
  index: number,
  to: KindVersion,
): ApiObject {
  const value: JsonObject = isObject(made) ? made : {};
  if (textIn(value, 'kind') === '') {
    throw unfit(`Object 'Kind' is missing in '${stringifyJson(made ?? null)}'`, true);
  }
  const at = `returned invalid object at index ${index}`;
  const version = textIn(value, 'apiVersion');
  if (version !== to.apiVersion) {
    throw unfit(`${at}: invalid groupVersion (expected ${to.apiVersion}, received ${version})`);
  }
  const kind = textIn(value, 'kind');
  if (kind !== from.kind) throw unfit(`${at}: invalid kind (expected ${from.kind}, received ${kind})`);
  const metadata: JsonObject = isObject(value.metadata) ? value.metadata : {};
  refuseOther(object.metadata, metadata);
  return pruned(
    { ...value, metadata: settledMetadata(object.metadata, metadata) } as unknown as ApiObject,
    to,
  );
}

const unfit = (why: string, isWhole = false) =>
  new ConversionFailed('invalid_converted_object', why, isWhole);

function textIn(value: JsonObject, key: string): string {
  const text = Object.hasOwn(value, key) ? value[key] : '';
  return typeof text === 'string' ? text : '';
}

function refuseOther(before: ApiObject['metadata'], after: JsonObject): void {
  for (const [key, words] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [was, is] = [before[key] ?? '', textIn(after, key)];
    if (was !== is) throw unfit(`returned invalid object: must have the same ${words}: ${was} != ${is}`);
  }
}

function settledMetadata(before: ApiObject['metadata'], after: JsonObject): ApiObject['metadata'] {
  const { labels: _labels, annotations: _annotations, ...kept } = before;
  const errors: FieldError[] = [];
  const labels = textsIn(after, 'labels');
  if (labels) validateLabels(labels, 'metadata.labels', errors);
  const annotations = textsIn(after, 'annotations');
  if (annotations) validateAnnotations(annotations, 'metadata.annotation', errors);
  if (errors.length > 0) {
    const texts = errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
    throw unfitMetadata(texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`);
  }
  return { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) } as ObjectMeta &
    ApiObject['metadata'];
}

const unfitMetadata = (why: string) => unfit(`returned invalid metadata: ${why}`);

function textsIn(metadata: JsonObject, field: string): Record<string, string> | undefined {
  const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) {
    throw unfitMetadata(`invalid metadata.${field} of type ${goType(value)} in converted object`);
  }
  const texts = nullPrototypeObject() as Record<string, string>;
  for (const key of Object.keys(value)) {
    const text = value[key]!;
    if (typeof text !== 'string') {
      const why = `must be a string, but is ${goType(text)} in converted object`;
      throw unfitMetadata(`metadata.${field}[${key}] ${why}`);
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
