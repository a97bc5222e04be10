// Deletes all objects of a resource in batches: namespace deletion and removed CRDs.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ApiError } from '../../errors/status.ts';
import { defaultDeleteOptions, type ValidatedDeleteOptions } from '../../kind/delete-options.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Api } from '../api.ts';
import { type DeleteRequest, deleteObject } from './delete.ts';

/** Concurrent deletions: enough to share group commits, few enough to leave room for other requests. */
const maxConcurrentDeletes = 64;

export interface DeleteAllOptions {
  /** Default: all namespaces. */
  readonly namespace?: string;
  /** Default: all objects. */
  isMeant?(object: StoredObject): boolean;
  readonly options?: ValidatedDeleteOptions;
  /** Absent: the server itself deletes, without admission. */
  readonly request?: DeleteRequest;
}

/**
 * Deletes every object of a kind, however many there are. False where some are still there, for something else must happen
 * to them first. What cannot be deleted keeps nothing else from it; the first that could not be is what it rejects with.
 */
export async function deleteAll(
  api: Api,
  resource: ServedResource,
  { namespace = '', isMeant = () => true, options = defaultDeleteOptions, request }: DeleteAllOptions = {},
): Promise<boolean> {
  const turns = new CooperativeYield();
  const failures: unknown[] = [];
  for (let after = ''; ; ) {
    await turns.next();
    const { meant, last, areMore } = nextBatch(api, resource.range(namespace), after, isMeant);
    const outcomes = await Promise.allSettled(
      meant.map((key) =>
        deleteObject(api, { resource, ...resource.namespaceAndName(key), subresource: '' }, options, request),
      ),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected' && !isNotFound(outcome.reason)) failures.push(outcome.reason);
    }
    if (!areMore || request?.signal.aborted) break;
    after = last;
  }
  if (failures.length > 0) throw failures[0];
  return isEmpty(api, resource.range(namespace));
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.reason === 'NotFound';

function isEmpty({ store }: Api, range: string): boolean {
  const view = store.pin();
  try {
    for (const _ of view.keys(range)) return false;
    return true;
  } finally {
    view.release();
  }
}

function nextBatch({ store }: Api, range: string, after: string, isMeant: (object: StoredObject) => boolean) {
  const view = store.pin();
  try {
    const meant: string[] = [];
    let last = after;
    let count = 0;
    for (const object of view.range(range, after || undefined)) {
      if (isMeant(object)) meant.push(object.key);
      last = object.key;
      if (++count === maxConcurrentDeletes) return { meant, last, areMore: true };
    }
    return { meant, last, areMore: false };
  } finally {
    view.release();
  }
}
