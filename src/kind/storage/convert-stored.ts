// Conversion of stored custom resources by webhooks. Results are StoredObjects, as if the object were stored in the
// requested version, so that callers decode and send them like any other stored object.

import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ListedObject } from '../../store/lists/listed-object.ts';
import type { StoredObject } from '../../store/store.ts';
import { decodePairs } from '../../store/stored-object.ts';
import type { ApiObject } from '../api-object.ts';
import type { ServedResource } from '../registry.ts';
import { decodeWritten, dryRunResult, encodeDraftInVersion, type WrittenObject } from './codec.ts';
import { ConversionWebhookError } from './conversion-webhook-error.ts';
import { convert } from './convert.ts';
import { Unreadable } from './unreadable.ts';

/**
 * Converts a stored object to the version of `resource`. Returns a promise only if the webhook is called; it rejects with
 * Unreadable if the webhook cannot convert the object.
 */
export function convertToVersion(
  resource: ServedResource,
  stored: StoredObject,
): StoredObject | Promise<StoredObject> {
  if (!needsConversion(resource, stored)) return stored;
  const written = decodeWritten(resource, stored);
  return written.from === resource ? stored : convertStored(resource, stored, written);
}

/** Whether the kind has a conversion webhook and another version or an older schema has encoded the object. */
function needsConversion(
  { definition }: ServedResource,
  { schemaFingerprint }: Pick<StoredObject, 'schemaFingerprint'>,
): boolean {
  return definition.converter !== undefined && schemaFingerprint !== definition.schema.fingerprint;
}

/** An object stored before a field became selectable lacks its value. */
function lacksSelectableFields(
  { definition }: ServedResource,
  { selectableFields }: Pick<StoredObject, 'selectableFields'>,
): boolean {
  const { isCustom, selectableFieldNames: names = [] } = definition;
  if (!isCustom || names.length === 0) return false;
  const storedFields = decodePairs(selectableFields);
  return names.some((name) => !storedFields.has(name));
}

/** Converts one object with the webhook. */
async function convertStored(
  resource: ServedResource,
  { key }: StoredObject,
  written: WrittenObject,
): Promise<StoredObject> {
  const [object] = await convertMany(resource, [{ key, written }]);
  if (object instanceof Unreadable) throw object;
  return encodeAsStored(resource, key, object!);
}

/** Encodes a converted object as if it were stored in this version: like a dry run, without storing it. */
function encodeAsStored(resource: ServedResource, key: string, object: ApiObject): StoredObject {
  return dryRunResult(key, encodeDraftInVersion(resource, object), object.metadata.resourceVersion);
}

/** The revision of a decoded object; 0 if it is not stored. */
const revisionOf = ({ metadata }: ApiObject) => Number(metadata.resourceVersion ?? 0);

/** A stored state of an object, decoded in the version that it was written in. */
interface WrittenState {
  readonly key: string;
  readonly written: WrittenObject;
}

/** Converts objects in one ConversionReview. The result has Unreadable for an object that cannot be converted. */
async function convertMany(
  resource: ServedResource,
  writtenStates: readonly WrittenState[],
): Promise<readonly (ApiObject | Unreadable)[]> {
  const { converter } = resource.definition;
  if (!converter)
    return Promise.all(writtenStates.map(({ written }) => convert(written.object, written.from, resource)));
  const unreadable = ({ key, written }: WrittenState, error: ConversionWebhookError) =>
    new Unreadable(key, revisionOf(written.object), error.forVersion(written.from).message);
  try {
    return await converter.convert(
      writtenStates.map(({ written }) => written),
      resource,
    );
  } catch (error) {
    if (!(error instanceof ConversionWebhookError)) throw error;
    if (writtenStates.length === 1 || error.failure.isCallFailure)
      return writtenStates.map((state) => unreadable(state, error));
    // One invalid object fails the whole review: convert them one by one.
    const results: (ApiObject | Unreadable)[] = [];
    for (const state of writtenStates) results.push(...(await convertMany(resource, [state])));
    return results;
  }
}

/**
 * Converts stored states of objects (the new and the previous ones of watch events) to the version of `resource`. Throws
 * Unreadable if one cannot be converted.
 */
export async function convertStates(
  resource: ServedResource,
  states: readonly Pick<StoredObject, 'key' | 'json'>[],
): Promise<readonly StoredObject[]> {
  const writtenStates = states.map(({ key, json }) => ({
    key,
    written: decodeWritten(resource, { key, json }),
  }));
  const unconverted = writtenStates.filter(({ written }) => written.from !== resource);
  const conversions = unconverted.length > 0 ? await convertMany(resource, unconverted) : [];
  const convertedByState = new Map(unconverted.map((state, index) => [state, conversions[index]!]));
  return writtenStates.map((state) => {
    const object = convertedByState.get(state) ?? state.written.object;
    if (object instanceof Unreadable) throw object;
    return encodeAsStored(resource, state.key, object);
  });
}

/** Limits of one ConversionReview of a list. */
const maxBatchObjects = 100;
const maxBatchBytes = 256 * 1024;

/** A converted object of a list, or the error of one that cannot be decoded or converted. */
export type Converted = ListedObject | Unreadable;

/** Converts the objects of a list to the version of `resource`, in batches. */
export async function* convertInBatches(
  resource: ServedResource,
  objects: Iterable<ListedObject>,
): AsyncGenerator<readonly Converted[], void> {
  let batch: ListedObject[] = [];
  let bytes = 0;
  const cooperativeYield = new CooperativeYield();
  for (const object of objects) {
    batch.push(object);
    bytes += object.item.length;
    if (batch.length < maxBatchObjects && bytes < maxBatchBytes) continue;
    yield await convertBatch(resource, batch);
    await cooperativeYield.next();
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield await convertBatch(resource, batch);
}

/** The objects of a batch in their order; those that need it are converted in one ConversionReview. */
async function convertBatch(resource: ServedResource, batch: readonly ListedObject[]): Promise<Converted[]> {
  const results: Converted[] = [...batch];
  const unconverted: (WrittenState & { readonly index: number })[] = [];
  for (const [index, object] of batch.entries()) {
    // Re-encoding in the same version adds the selectable fields.
    const mustReencode = lacksSelectableFields(resource, object);
    if (!mustReencode && !needsConversion(resource, object)) continue;
    try {
      const written = decodeWritten(resource, object);
      if (mustReencode || written.from !== resource) {
        unconverted.push({ key: object.key, written, index });
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      results[index] = error;
    }
  }
  if (unconverted.length === 0) return results;
  const conversions = await convertMany(resource, unconverted);
  for (const [position, { index, key }] of unconverted.entries()) {
    const conversion = conversions[position]!;
    results[index] =
      conversion instanceof Unreadable
        ? conversion
        : ListedObject.of(encodeAsStored(resource, key, conversion));
  }
  return results;
}
