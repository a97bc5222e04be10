// storage-version-migrator-controller: rewrites objects in batches, each object by an update without changes, which stores it
// in the current storage version.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { Client } from '../../client/client.ts';
import type { Lister } from '../../client/lister.ts';
import { ApiError } from '../../errors/status.ts';
import type { User } from '../../request/user.ts';

const batchSize = 500;
/** Concurrent updates: they share group commits. */
const maxConcurrent = 32;

/** The migration fails; a retry would not help. */
export class MigrationProblem extends Error {}

export interface RewrittenBatch {
  /** The rewriter was stopped before the end of the batch. */
  readonly isStopped?: boolean;
  /** The key of the last object of the batch; absent if no objects follow. */
  readonly lastKey?: string;
}

export class ObjectRewriter {
  readonly #client: Client;
  readonly #user: User;
  #isStopped = false;

  /** `user`: the user of the updates. */
  constructor(client: Client, user: User) {
    this.#client = client;
    this.#user = user;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Rewrites the objects after a key, or the first ones with ''. Throws MigrationProblem if the migration fails. */
  async rewriteBatch(lister: Lister<unknown>, afterKey: string): Promise<RewrittenBatch> {
    // One key more than a batch shows whether another batch follows.
    const keys = lister.keysAfter(afterKey, batchSize + 1);
    const yielder = new CooperativeYield();
    const running = new Set<Promise<void>>();
    const failures: unknown[] = [];
    for (const key of keys.slice(0, batchSize)) {
      await yielder.next();
      if (running.size === maxConcurrent) await Promise.race(running);
      if (this.#isStopped || failures.length > 0) break;
      const rewrite = this.#rewrite(lister, key)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(rewrite));
      running.add(rewrite);
    }
    await Promise.all(running);
    if (failures.length > 0) throw failures[0];
    if (this.#isStopped) return { isStopped: true };
    return keys.length > batchSize ? { lastKey: keys[batchSize - 1]! } : {};
  }

  async #rewrite(lister: Lister<unknown>, key: string): Promise<void> {
    try {
      await this.#client.rewrite(lister, key, { user: this.#user });
    } catch (error) {
      // Deleted or updated concurrently: no rewrite needed.
      if (error instanceof ApiError && [404, 409].includes(error.code)) return;
      if (!isPermanent(lister, error)) throw error;
      throw new MigrationProblem(`${key}: ${error.message}`);
    }
  }
}

/** Whether a retry would fail as well. A conversion webhook may succeed later. */
function isPermanent({ resource }: Lister<unknown>, error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || [429, 503, 504].includes(error.code)) return false;
  return error.code !== 500 || resource.definition.converter === undefined;
}
