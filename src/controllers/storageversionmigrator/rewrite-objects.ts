import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ApiError } from '../../errors/status.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { inVersion } from '../../kind/storage/converted.ts';
import type { Api, Target } from '../../registry/api.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import { update } from '../../registry/verbs/update.ts';
import type { User } from '../../request/user.ts';

/** How many objects lie between two notes of how far a migration has come. */
const batchSize = 500;
/** How many are on their way to the disk at a time: they share its writes. */
const atOnce = 32;

/** Why a migration cannot come to an end: trying again would not help. */
export class MigrationProblem extends Error {}

/** What came of a batch. */
export interface Batch {
  /** It was ended before its time. */
  readonly isStopped?: boolean;
  /** Where more follow: the key of its last object, without the resource's prefix. */
  readonly after?: string;
}

/** Writes objects through the API as they are, so that they are stored as the server stores them today. */
export class Rewriting {
  readonly #api: Api;
  readonly #user: User;
  #isStopped = false;

  /** `user`: in whose name. */
  constructor(api: Api, user: User) {
    this.#api = api;
    this.#user = user;
  }

  /** Ends a batch before its time. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Rewrites the next objects of a resource. */
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

  /** One more than a batch, to see whether there is another. */
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
      return { object, hasOwners: true, isRewrite: true };
    };
    try {
      await update(this.#api, target, read, { ...plainWrite, user: this.#user }, []);
    } catch (error) {
      // Who deletes or changes an object saves us the work.
      if (error instanceof Gone || (error instanceof ApiError && [404, 409].includes(error.code))) return;
      if (!isLasting(resource, error)) throw error;
      throw new MigrationProblem(`${key.slice(resource.range('').length)}: ${error.message}`);
    }
  }
}

/** The object has been deleted. */
class Gone extends Error {}

function targetOf(resource: ServedResource, key: string): Target {
  const path = key.slice(resource.range('').length);
  const slash = path.indexOf('/');
  const [namespace, name] = slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)];
  return { resource, namespace, name, subresource: '' };
}

/** Whether it stays wrong however often one tries. What a webhook converts may be read another time. */
function isLasting({ definition }: ServedResource, error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || [429, 503, 504].includes(error.code)) return false;
  return error.code !== 500 || definition.converter === undefined;
}
