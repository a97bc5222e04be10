/**
 * Where the state at hand may lag behind what others have been told is done, a request is answered by one that is as new as
 * the request: here, what was decided on another is decided anew.
 */
import { ApiError } from '../../errors/status.ts';
import { PreconditionFailed, type Store, type StoredObject, TransactionConflict } from '../../store/store.ts';

/** Refusals for what is there, or is not: names, permissions, what others have taken or forbidden. */
const ofState: ReadonlySet<number> = new Set([403, 404, 409, 422]);

/** Does what depends on the state at hand. A refusal that may come of it counts only on the newest. */
export async function retryOnConflict<T>(store: Store, attempt: () => Promise<T>): Promise<T> {
  if (!store.mayLag) return attempt();
  for (let isNewest = false; ; ) {
    const { revision } = store;
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof TransactionConflict) continue;
      if (isNewest || !(error instanceof ApiError) || !ofState.has(error.code)) throw error;
      await store.head();
      if (store.revision === revision) throw error;
      isNewest = true;
    }
  }
}

/** That there is nothing to do to an object. Rejects with PreconditionFailed where it has become another one. */
export async function unchanged(store: Store, stored: StoredObject): Promise<StoredObject> {
  if (!store.mayLag) return stored;
  await store.head();
  const current = store.get(stored.key);
  if (current?.revision !== stored.revision) throw new PreconditionFailed(stored.key, current);
  return stored;
}

/** Makes the state at hand as new as this call, if that can be had at the moment. */
export async function catchUp(store: Store): Promise<void> {
  if (store.mayLag) await store.head().catch(() => {});
}
