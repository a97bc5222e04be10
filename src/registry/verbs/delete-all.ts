// Deletes all objects of a resource in batches: namespace deletion and removed CRDs.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ApiError } from '../../errors/status.ts';
import { defaultDeleteOptions, type ValidatedDeleteOptions } from '../../kind/delete-options.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { StoredObject } from '../../store/store.ts';
import type { VerbContext } from '../verb-context.ts';
import { type DeleteRequest, deleteObject } from './delete.ts';

/** Concurrent deletions: enough to share group commits, few enough to leave room for other requests. */
const maxConcurrentDeletes = 64;

export interface DeleteAllOptions {
  /** Default: all namespaces. */
  readonly namespace?: string;
  /** Default: all objects. */
  isSelected?(object: StoredObject): boolean;
  readonly options?: ValidatedDeleteOptions;
  /** Absent: the server itself deletes, without admission. */
  readonly request?: DeleteRequest;
}

/**
 * Deletes every selected object of a resource. Returns false if objects of the resource remain, for example because of
 * finalizers. A failed deletion does not stop the others; the first failure is thrown at the end.
 */
export async function deleteAll(
  api: VerbContext,
  resource: ServedResource,
  { namespace = '', isSelected = () => true, options = defaultDeleteOptions, request }: DeleteAllOptions = {},
): Promise<boolean> {
  const yielding = new CooperativeYield();
  const failures: unknown[] = [];
  for (let after = ''; ; ) {
    await yielding.next();
    const { keys, lastKey, hasMore } = nextBatch(api, resource.range(namespace), after, isSelected);
    const results = await Promise.allSettled(
      keys.map((key) =>
        deleteObject(api, { resource, ...resource.namespaceAndName(key), subresource: '' }, options, request),
      ),
    );
    for (const result of results) {
      if (result.status === 'rejected' && !isNotFound(result.reason)) failures.push(result.reason);
    }
    if (!hasMore || request?.signal.aborted) break;
    after = lastKey;
  }
  if (failures.length > 0) throw failures[0];
  return isEmpty(api, resource.range(namespace));
}

/** Another client deleted the object since it was read. */
const isNotFound = (error: unknown) => error instanceof ApiError && error.reason === 'NotFound';

function isEmpty({ store }: VerbContext, range: string): boolean {
  const snapshot = store.pin();
  try {
    for (const _ of snapshot.keys(range)) return false;
    return true;
  } finally {
    snapshot.release();
  }
}

/** The keys of the selected objects among the next `maxConcurrentDeletes` objects after a key. */
function nextBatch(
  { store }: VerbContext,
  range: string,
  after: string,
  isSelected: (object: StoredObject) => boolean,
) {
  const snapshot = store.pin();
  try {
    const keys: string[] = [];
    let lastKey = after;
    let count = 0;
    for (const object of snapshot.range(range, after || undefined)) {
      if (isSelected(object)) keys.push(object.key);
      lastKey = object.key;
      if (++count === maxConcurrentDeletes) return { keys, lastKey, hasMore: true };
    }
    return { keys, lastKey, hasMore: false };
  } finally {
    snapshot.release();
  }
}
