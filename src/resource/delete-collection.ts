import { ApiError } from '../errors/status.ts';
import type { ListedObject } from '../store/lists/runs-object.ts';
import type { Api, Target } from './api.ts';
import { showStored } from './codec.ts';
import { type DeleteRequest, remove } from './delete.ts';
import { list } from './list.ts';
import type { DeleteOptions } from './options/delete-options.ts';
import type { ListOptions } from './options/list-options.ts';
import { ReadingOfMany } from './unreadable.ts';

export interface DeletedCollection {
  readonly resourceVersion: string;
  readonly continue: string;
  readonly remaining: number | undefined;
  /** What has been deleted, as the list showed it. */
  readonly objects: readonly ListedObject[];
}

/** How many deletions are under way at once: enough to share commits, few enough to leave room for others. */
const parallel = 64;

/** Deletes what a list would show. What goes away meanwhile by other hands is no error. */
export async function removeCollection(
  api: Api,
  target: Target,
  listOptions: ListOptions,
  deleteOptions: DeleteOptions,
  request?: DeleteRequest,
): Promise<DeletedCollection> {
  const listed = await list(api, target, listOptions);
  const found = [...listed.page.objects()];
  listed.page.release();
  refuseUnreadable(api, target, found);
  const objects: ListedObject[] = [];
  const ofMany = request && namingNone(request);
  for (let start = 0; start < found.length; start += parallel) {
    const batch = found.slice(start, start + parallel);
    const gone = await Promise.all(
      batch.map(({ key }) => removeOne(api, target, key, deleteOptions, ofMany)),
    );
    objects.push(...batch.filter((_, index) => gone[index]));
  }
  return {
    resourceVersion: listed.resourceVersion,
    continue: listed.continue,
    remaining: listed.remaining,
    objects,
  };
}

const namingNone = ({ user, warnings, signal, audit, deadline }: DeleteRequest): DeleteRequest => ({
  user,
  warnings,
  signal,
  audit,
  deadline,
  isOfMany: true,
});

/** Nothing is deleted where the list of it could not be answered. */
function refuseUnreadable(api: Api, { resource }: Target, found: readonly ListedObject[]): void {
  const reading = new ReadingOfMany(api.store);
  for (const object of found) {
    if (!reading.isHopeless) reading.try(() => showStored(resource, object));
  }
  reading.finish(resource);
}

async function removeOne(
  api: Api,
  target: Target,
  key: string,
  options: DeleteOptions,
  request: DeleteRequest | undefined,
): Promise<boolean> {
  const rest = key.slice(target.resource.prefix.length + 1);
  const slash = rest.indexOf('/');
  const one: Target = {
    ...target,
    namespace: slash < 0 ? '' : rest.slice(0, slash),
    name: rest.slice(slash + 1),
  };
  try {
    await remove(api, one, options, request);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return false;
    throw error;
  }
}
