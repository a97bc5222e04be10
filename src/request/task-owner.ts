// The owner of work that is done for a request outside of its handler: on a worker thread.
import type { User } from './user.ts';

/** The client's request. Work is shared fairly between users, and dropped when the client has gone. */
export interface TaskOwner {
  readonly user: Pick<User, 'name'>;
  /** Aborts when the client disconnects or the request times out. */
  readonly signal: AbortSignal;
}

/** The signal of a request on a worker thread, where its end is not known: the serving thread drops the result. */
export const neverAborted: AbortSignal = new AbortController().signal;
