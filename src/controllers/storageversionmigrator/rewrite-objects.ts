// storage-version-migrator-controller: rewrites a batch of objects.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ApiError } from '../../errors/status.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { inVersion } from '../../kind/storage/converted.ts';
import type { Api } from '../../registry/api.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import type { Target } from '../../registry/target.ts';
import { update } from '../../registry/verbs/update.ts';
import type { User } from '../../request/user.ts';

/** Objects per batch. */
const batchSize = 500;
/** Concurrent updates: they share group commits. */
const atOnce = 32;

/** The migration fails; a retry would not help. */
export class MigrationProblem extends Error {}

export interface Batch {
  /** Aborted before its end. */
  readonly isStopped?: boolean;
  /** The key of the last object without the resource prefix, if more follow. */
  readonly after?: string;
}

/** Updates objects without changes, which stores them in the current storage version. */
export class Rewriting {
  readonly #api: Api;
  readonly #user: User;
  #isStopped = false;

  /** `user`: the user of the updates. */
  constructor(api: Api, user: User) {
    this.#api = api;
    this.#user = user;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async batch(resource: ServedResource, after: string): Promise<Batch> {
    const range = resource.range('');
    const keys = this.#keysAfter(range, after);
    const turns = new CooperativeYield();
    const underWay = new Set<Promise<void>>();
    const failures: unknown[] = [];
    for (const key of keys.slice(0, batchSize)) {
      await turns.next();
      if (underWay.size === atOnce) await Promise.race(underWay);
      if (this.#isStopped || failures.length > 0) break;
      const one = this.#rewrite(resource, key)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await Promise.all(underWay);
    if (failures.length > 0) throw failures[0];
    if (this.#isStopped) return { isStopped: true };
    return keys.length > batchSize ? { after: keys[batchSize - 1]!.slice(range.length) } : {};
  }

  /** One object more than a batch shows whether another batch follows. */
  #keysAfter(range: string, after: string): string[] {
    const view = this.#api.store.pin();
    const keys: string[] = [];
    for (const key of view.keys(range, after === '' ? undefined : range + after)) {
      keys.push(key);
      if (keys.length > batchSize) break;
    }
    view.release();
    return keys;
  }

  async #rewrite(resource: ServedResource, key: string): Promise<void> {
    const target = targetOf(resource, key);
    const read = async () => {
      const stored = this.#api.store.get(key);
      if (!stored) throw new Gone();
      const object = decodeStored(resource, await inVersion(resource, stored));
      return { object, hasManagedFields: true, isRewrite: true };
    };
    try {
      await update(this.#api, target, read, { ...plainWrite, user: this.#user }, []);
    } catch (error) {
      // Deleted or updated concurrently: no rewrite needed.
      if (error instanceof Gone || (error instanceof ApiError && [404, 409].includes(error.code))) return;
      if (!isLasting(resource, error)) throw error;
      throw new MigrationProblem(`${key.slice(resource.range('').length)}: ${error.message}`);
    }
  }
}

class Gone extends Error {}

function targetOf(resource: ServedResource, key: string): Target {
  const path = key.slice(resource.range('').length);
  const slash = path.indexOf('/');
  const [namespace, name] = slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)];
  return { resource, namespace, name, subresource: '' };
}

/** Whether the error is permanent. A conversion webhook may succeed later. */
function isLasting({ definition }: ServedResource, error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || [429, 503, 504].includes(error.code)) return false;
  return error.code !== 500 || definition.converter === undefined;
}
