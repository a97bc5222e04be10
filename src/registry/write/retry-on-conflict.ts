// Retries a write that was decided on state older than the latest acknowledged revision.
import { ApiError } from '../../errors/status.ts';
import { type Store, TransactionConflict } from '../../store/store.ts';

/** Status codes of rejections that depend on stored objects: permissions, names, quota, policies. */
const stateDependentCodes: ReadonlySet<number> = new Set([403, 404, 409, 422]);

/** A rejection that depends on the state is final only on the latest state; transaction conflicts are always retried. */
export async function retryOnConflict<T>(store: Store, attempt: () => Promise<T>): Promise<T> {
  for (let isLatest = false; ; ) {
    const { revision } = store;
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof TransactionConflict) continue;
      if (isLatest || !(error instanceof ApiError) || !stateDependentCodes.has(error.code)) throw error;
      if (!(await store.reader.isOutdated(revision))) throw error;
      isLatest = true;
    }
  }
}
