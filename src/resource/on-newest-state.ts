import { ApiError } from '../errors/status.ts';
import type { Store } from '../store/store.ts';

/**
 * Does what depends on the state at hand. Where that may lag behind what others have been told is done, a refusal that
 * may come of it counts only on a state that is as new as the request.
 */
export async function onNewestState<T>(store: Store, attempt: () => Promise<T>): Promise<T> {
  if (!store.mayLag) return attempt();
  const { revision } = store;
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof ApiError) || !(error.code === 404 || error.code === 409)) throw error;
    await store.head();
    if (store.revision === revision) throw error;
    return attempt();
  }
}
