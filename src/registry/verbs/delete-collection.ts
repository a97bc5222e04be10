// deletecollection: deletes every object that a list with the same options would return.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ApiError } from '../../errors/status.ts';
import type { ValidatedDeleteOptions } from '../../kind/delete-options.ts';
import { isCurrentEncoding, storedJsonInVersion } from '../../kind/storage/codec.ts';
import type { Converted } from '../../kind/storage/convert-stored.ts';
import { TolerantReader, Unreadable } from '../../kind/storage/unreadable.ts';
import type { ListedObject } from '../../store/lists/listed-object.ts';
import type { ListOptions } from '../options/list-options.ts';
import type { Target } from '../target.ts';
import type { RegistryContext } from '../verb-context.ts';
import { type DeleteRequest, deleteObject } from './delete.ts';
import { list } from './list.ts';
import { type ConvertedPage, listConverted, selectsAfterConversion } from './list-converted.ts';

export interface DeletedCollection {
  readonly resourceVersion: string;
  readonly continue: string;
  readonly remaining: number | undefined;
  /** The deleted objects, as listed. */
  readonly objects: readonly ListedObject[];
}

/** Concurrent deletions: enough to share group commits, few enough to leave room for other requests. */
const maxConcurrentDeletes = 64;

/** Deletes the listed objects. The result leaves out objects that were deleted concurrently. */
export async function deleteCollection(
  api: RegistryContext,
  target: Target,
  listOptions: ListOptions,
  deleteOptions: ValidatedDeleteOptions,
  request?: DeleteRequest,
): Promise<DeletedCollection> {
  const listed = await listForDeletion(api, target, listOptions);
  const items = await assertAllDecodable(api, target, listed.objects);
  const objects: ListedObject[] = [];
  const itemRequest = request && requestOfItem(request);
  for (let start = 0; start < items.length; start += maxConcurrentDeletes) {
    const batch = items.slice(start, start + maxConcurrentDeletes);
    const deleted = await Promise.all(
      batch.map(({ key }) => deleteOne(api, target, key, deleteOptions, itemRequest)),
    );
    objects.push(...batch.filter((_, index) => deleted[index]));
  }
  return { ...listed, objects };
}

/** Some selectors of custom resources can only be evaluated after conversion. */
async function listForDeletion(
  api: RegistryContext,
  target: Target,
  options: ListOptions,
): Promise<ConvertedPage> {
  if (selectsAfterConversion(target.resource, options)) return listConverted(api, target, options);
  const { page, resourceVersion, continue: token, remaining } = await list(api, target, options);
  const objects = [...page.objects()];
  page.release();
  return { objects, resourceVersion, continue: token, remaining };
}

/** The request for one object of the collection, with external latency of its own. */
const requestOfItem = ({ user, warnings, signal, audit, deadlineMs }: DeleteRequest): DeleteRequest => ({
  user,
  warnings,
  signal,
  audit,
  deadlineMs,
  externalLatencyMs: 0,
  isCollectionItem: true,
});

/** Throws if an object cannot be decoded, before anything is deleted. Returns the same objects, all readable. */
async function assertAllDecodable(
  api: RegistryContext,
  { resource }: Target,
  listed: readonly Converted[],
): Promise<readonly ListedObject[]> {
  const yielding = new CooperativeYield();
  const reader = new TolerantReader(api.store);
  for (const object of listed) {
    if (reader.hasTooManyFailures) break;
    reader.try(() => {
      if (object instanceof Unreadable) throw object;
      // What the current schema has written is decodable.
      if (isCurrentEncoding(resource.stored, object.schemaFingerprint)) return;
      storedJsonInVersion(resource, object);
    });
    const pause = yielding.next();
    if (pause) await pause;
  }
  reader.throwIfFailed(resource);
  return listed as readonly ListedObject[];
}

/** Returns false if the object was already deleted concurrently. */
async function deleteOne(
  api: RegistryContext,
  target: Target,
  key: string,
  options: ValidatedDeleteOptions,
  request: DeleteRequest | undefined,
): Promise<boolean> {
  const item: Target = { ...target, ...target.resource.namespaceAndName(key) };
  try {
    await deleteObject(api, item, options, request);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return false;
    throw error;
  }
}
