// Conversion of stored objects by webhooks: the results stand for objects that are stored in the requested version.

import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ListedObject } from '../../store/lists/runs-object.ts';
import type { StoredObject } from '../../store/store.ts';
import { decodePairs } from '../../store/stored-object.ts';
import type { ApiObject } from '../api-object.ts';
import type { ServedResource } from '../registry.ts';
import { decodeWritten, draftIn, dryRunResult, type WrittenObject } from './codec.ts';
import { convert } from './convert.ts';
import { ConversionWebhookError } from './not-converted.ts';
import { Unreadable } from './unreadable.ts';

/**
 * A stored object as if it were stored in this version. A promise only where the webhook is called. Rejects with
 * Unreadable where the webhook cannot convert it.
 */
export function inVersion(
  resource: ServedResource,
  stored: StoredObject,
): StoredObject | Promise<StoredObject> {
  if (!needsConversion(resource, stored)) return stored;
  const written = decodeWritten(resource, stored);
  return written.from === resource ? stored : convertStored(resource, stored, written);
}

function needsConversion({ definition }: ServedResource, { mark }: Pick<StoredObject, 'mark'>): boolean {
  return definition.converter !== undefined && mark !== definition.schema.fingerprint;
}

/** An object stored before a field became selectable lacks its value. */
function lacksFields({ definition }: ServedResource, { fields }: Pick<StoredObject, 'fields'>): boolean {
  const { isCustom, selectableFieldNames: names = [] } = definition;
  if (!isCustom || names.length === 0) return false;
  const known = decodePairs(fields);
  return names.some((name) => !known.has(name));
}

async function convertStored(
  resource: ServedResource,
  { key }: StoredObject,
  written: WrittenObject,
): Promise<StoredObject> {
  const [object] = await convertMany(resource, [{ key, written }]);
  if (object instanceof Unreadable) throw object;
  return asStored(resource, key, object!);
}

function asStored(resource: ServedResource, key: string, object: ApiObject): StoredObject {
  return dryRunResult(key, draftIn(resource, object), object.metadata.resourceVersion);
}

/** 0 for an object that is not stored. */
const revisionOf = ({ metadata }: ApiObject) => Number(metadata.resourceVersion ?? 0);

interface WrittenState {
  readonly key: string;
  readonly written: WrittenObject;
}

async function convertMany(
  resource: ServedResource,
  known: readonly WrittenState[],
): Promise<readonly (ApiObject | Unreadable)[]> {
  const { converter } = resource.definition;
  if (!converter)
    return Promise.all(known.map(({ written }) => convert(written.object, written.from, resource)));
  const unreadable = ({ key, written }: WrittenState, error: ConversionWebhookError) =>
    new Unreadable(key, revisionOf(written.object), error.of(written.from).message);
  try {
    return await converter.convert(
      known.map(({ written }) => written),
      resource,
    );
  } catch (error) {
    if (!(error instanceof ConversionWebhookError)) throw error;
    if (known.length === 1 || error.failure.isCallFailure) return known.map((one) => unreadable(one, error));
    // One invalid object fails the whole review: convert them one by one.
    const each: (ApiObject | Unreadable)[] = [];
    for (const one of known) each.push(...(await convertMany(resource, [one])));
    return each;
  }
}

/** Stored objects as if they were stored in this version. */
export async function statesInVersion(
  resource: ServedResource,
  states: readonly Pick<StoredObject, 'key' | 'json'>[],
): Promise<readonly StoredObject[]> {
  const known = states.map(({ key, json }) => ({ key, written: decodeWritten(resource, { key, json }) }));
  const unconverted = known.filter(({ written }) => written.from !== resource);
  const answers = unconverted.length > 0 ? await convertMany(resource, unconverted) : [];
  const byState = new Map(unconverted.map((one, index) => [one, answers[index]!]));
  return known.map((one) => {
    const object = byState.get(one) ?? one.written.object;
    if (object instanceof Unreadable) throw object;
    return asStored(resource, one.key, object);
  });
}

/** Limits of one conversion review. */
const maxBatchObjects = 100;
const maxBatchBytes = 256 * 1024;

export type Converted = ListedObject | Unreadable;

/** Objects of a list as if they were stored in this version, in batches. */
export async function* manyInVersion(
  resource: ServedResource,
  objects: Iterable<ListedObject>,
): AsyncGenerator<readonly Converted[], void> {
  let batch: ListedObject[] = [];
  let bytes = 0;
  const turns = new CooperativeYield();
  for (const object of objects) {
    batch.push(object);
    bytes += object.item.length;
    if (batch.length < maxBatchObjects && bytes < maxBatchBytes) continue;
    yield await convertBatch(resource, batch);
    await turns.next();
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield await convertBatch(resource, batch);
}

async function convertBatch(resource: ServedResource, batch: readonly ListedObject[]): Promise<Converted[]> {
  const results: Converted[] = [...batch];
  const unconverted: (WrittenState & { readonly index: number })[] = [];
  for (const [index, object] of batch.entries()) {
    const isStale = lacksFields(resource, object);
    if (!isStale && !needsConversion(resource, object)) continue;
    try {
      const written = decodeWritten(resource, object);
      if (isStale || written.from !== resource) unconverted.push({ key: object.key, written, index });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      results[index] = error;
    }
  }
  if (unconverted.length === 0) return results;
  const answers = await convertMany(resource, unconverted);
  for (const [n, { index, key }] of unconverted.entries()) {
    const answer = answers[n]!;
    results[index] = answer instanceof Unreadable ? answer : ListedObject.of(asStored(resource, key, answer));
  }
  return results;
}
