// ResourceQuota admission: reads and writes the status of stored quotas, and detects other writers.
import type { ResourceQuota } from '../../../apis/core/resourcequota.ts';
import { ApiError } from '../../../errors/status.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import { decodeStored } from '../../../kind/storage/codec.ts';
import type { Api } from '../../../registry/api.ts';
import { guaranteedUpdate } from '../../../registry/verbs/guaranteed-update.ts';
import type { Revision, View } from '../../../store/store.ts';
import { Quotas } from './quotas.ts';

/** A quota as it was stored at some revision. */
export interface Entry {
  readonly key: string;
  readonly revision: Revision;
  readonly quota: ResourceQuota;
}

type Status = ResourceQuota['status'];

/** A quota from the first state on after which only this server has written it. */
interface OwnStretch {
  readonly from: Revision;
  readonly to: Revision;
}

/** Reads and writes what stored quotas say is used, and knows whether others do so too. */
export class Book {
  readonly quotas: Quotas;
  /** Called when another writer has written the status of a quota. */
  onStranger: (namespace: string) => void = () => {};
  readonly #api: Api;
  readonly #resource: ServedResource;
  readonly #own = new Map<string, OwnStretch>();
  readonly #writing = new Set<string>();
  /** When another writer last wrote each quota. */
  readonly #strangersAt = new Map<string, number>();

  constructor(api: Api) {
    this.#api = api;
    this.#resource = api.registry.kind('', 'v1', 'resourcequotas');
    this.quotas = new Quotas(api);
  }

  /** The quotas of a namespace, by name. */
  read(namespace: string, from: Pick<View, 'get'> = this.#api.store): Entry[] {
    return this.quotas.keys(namespace).flatMap((key) => {
      const stored = from.get(key);
      if (!stored) return [];
      const quota = decodeStored(this.#resource, stored) as ResourceQuota;
      return [{ key, revision: stored.revision, quota }];
    });
  }

  /**
   * Writes the status that `change` makes of the quota's current state. False where there is no such quota any more, or
   * `change` makes none.
   */
  async write(
    namespace: string,
    key: string,
    change: (current: ResourceQuota) => Status | undefined,
  ): Promise<boolean> {
    const name = key.slice(key.lastIndexOf('/') + 1);
    const target = { resource: this.#resource, namespace, name, subresource: '' };
    let replaced = 0;
    const rewrite = (object: { metadata: { resourceVersion?: string }; status?: unknown }) => {
      const status = change(object as ResourceQuota);
      if (!status) throw new NothingToWrite();
      replaced = Number(object.metadata.resourceVersion);
      object.status = status;
    };
    this.#writing.add(key);
    try {
      const { revision } = await guaranteedUpdate(this.#api, target, rewrite, { managedThrough: 'status' });
      const own = this.#own.get(key);
      const continues = own?.to === replaced;
      this.#own.set(key, { from: continues ? own.from : replaced, to: revision });
      const isLast = this.#api.store.get(key)?.revision === revision;
      if (!continues || !isLast) this.noteStranger(key);
      if ((own && !continues) || !isLast) this.onStranger(namespace);
      return true;
    } catch (error) {
      if (error instanceof NothingToWrite || (error instanceof ApiError && error.code === 404)) return false;
      throw error;
    } finally {
      this.#writing.delete(key);
    }
  }

  /** Whether only this server has written the quota since. */
  isOursSince({ key, revision }: Entry): boolean {
    const current = this.#api.store.get(key)?.revision;
    if (current === revision) return true;
    const own = this.#own.get(key);
    return own !== undefined && own.to === current && own.from <= revision;
  }

  /** Whether a write of the quota is in flight here, which itself detects other writers. */
  isBeingWritten(key: string): boolean {
    return this.#writing.has(key);
  }

  noteStranger(key: string): void {
    this.#strangersAt.set(key, this.#api.clock.now());
  }

  /** In milliseconds since the epoch; 0 where no other writer was seen. */
  strangerAt(key: string): number {
    return this.#strangersAt.get(key) ?? 0;
  }

  forget(key: string): void {
    this.#own.delete(key);
    this.#strangersAt.delete(key);
  }

  reset(): void {
    this.quotas.reset();
    this.#own.clear();
    this.#strangersAt.clear();
  }
}

class NothingToWrite extends Error {}
