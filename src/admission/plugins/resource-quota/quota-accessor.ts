// ResourceQuota admission: reads and writes the status of stored quotas, and detects other writers.
import type { ResourceQuota } from '../../../apis/core/resourcequota.ts';
import { ApiError } from '../../../errors/status.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import { decodeStored } from '../../../kind/storage/codec.ts';
import type { AdmissionContext } from '../../../registry/verb-context.ts';
import { guaranteedUpdate } from '../../../registry/verbs/guaranteed-update.ts';
import type { Revision, View } from '../../../store/store.ts';
import { QuotaCache } from './quota-cache.ts';

/** A quota at a revision of the store. */
export interface StoredQuota {
  readonly key: string;
  readonly revision: Revision;
  readonly quota: ResourceQuota;
}

type Status = ResourceQuota['status'];

/** The range of store revisions in which only this server has written a quota. */
interface OwnRevisions {
  readonly from: Revision;
  readonly to: Revision;
}

/** Writes status.used with optimistic concurrency, and detects writes of other servers (upstream: QuotaAccessor). */
export class QuotaAccessor {
  readonly quotas: QuotaCache;
  /** Called when another writer has written the status of a quota. */
  onForeignWrite: (namespace: string) => void = () => {};
  readonly #api: AdmissionContext;
  readonly #resource: ServedResource;
  /** By the key of the quota. */
  readonly #ownRevisions = new Map<string, OwnRevisions>();
  /** The keys of the quotas with a write in flight here. */
  readonly #writing = new Set<string>();
  /** When another writer last wrote each quota. */
  readonly #foreignWriteTimesMs = new Map<string, number>();

  constructor(api: AdmissionContext) {
    this.#api = api;
    this.#resource = api.registry.kind('', 'v1', 'resourcequotas');
    this.quotas = new QuotaCache(api);
  }

  /** The current quotas of a namespace, ordered by name. */
  read(namespace: string, reader: Pick<View, 'get'> = this.#api.store): StoredQuota[] {
    return this.quotas.keys(namespace).flatMap((key) => {
      const stored = reader.get(key);
      if (!stored) return [];
      const quota = decodeStored(this.#resource, stored) as ResourceQuota;
      return [{ key, revision: stored.revision, quota }];
    });
  }

  /**
   * Writes the status that `change` returns for the current quota. Returns false if the quota was deleted or `change`
   * returns undefined.
   */
  async write(
    namespace: string,
    key: string,
    change: (current: ResourceQuota) => Status | undefined,
  ): Promise<boolean> {
    const name = key.slice(key.lastIndexOf('/') + 1);
    const target = { resource: this.#resource, namespace, name, subresource: '' };
    let replacedRevision = 0;
    const setStatus = (object: { metadata: { resourceVersion?: string }; status?: unknown }) => {
      const status = change(object as ResourceQuota);
      if (!status) throw new NothingToWrite();
      replacedRevision = Number(object.metadata.resourceVersion);
      object.status = status;
    };
    this.#writing.add(key);
    try {
      const { revision } = await guaranteedUpdate(this.#api, target, setStatus, { managedThrough: 'status' });
      this.#detectForeignWrites(namespace, key, replacedRevision, revision);
      return true;
    } catch (error) {
      const isDeleted = error instanceof ApiError && error.code === 404;
      if (error instanceof NothingToWrite || isDeleted) return false;
      throw error;
    } finally {
      this.#writing.delete(key);
    }
  }

  /** Called after this server has replaced one revision of a quota by another: was another server in between? */
  #detectForeignWrites(
    namespace: string,
    key: string,
    replacedRevision: Revision,
    writtenRevision: Revision,
  ): void {
    const ownRevisions = this.#ownRevisions.get(key);
    const continuesOwn = ownRevisions?.to === replacedRevision;
    this.#ownRevisions.set(key, {
      from: continuesOwn ? ownRevisions.from : replacedRevision,
      to: writtenRevision,
    });
    // Another server has written the quota before this write (the chain of own revisions is broken) or after it.
    const isCurrent = this.#api.store.get(key)?.revision === writtenRevision;
    if (!continuesOwn || !isCurrent) this.recordForeignWrite(key);
    // The first write here has no own revision to continue: that is recorded but not reported as a foreign write.
    if ((ownRevisions && !continuesOwn) || !isCurrent) this.onForeignWrite(namespace);
  }

  /** Whether only this server has written the quota since that revision. */
  isOnlyWrittenHereSince({ key, revision }: StoredQuota): boolean {
    const current = this.#api.store.get(key)?.revision;
    if (current === revision) return true;
    const ownRevisions = this.#ownRevisions.get(key);
    return ownRevisions !== undefined && ownRevisions.to === current && ownRevisions.from <= revision;
  }

  /** Whether a write of the quota is in flight here, which itself detects other writers. */
  isBeingWritten(key: string): boolean {
    return this.#writing.has(key);
  }

  recordForeignWrite(key: string): void {
    this.#foreignWriteTimesMs.set(key, this.#api.clock.now());
  }

  /** In milliseconds since the epoch; 0 where no other writer was seen. */
  foreignWriteTimeMs(key: string): number {
    return this.#foreignWriteTimesMs.get(key) ?? 0;
  }

  /** Drops what is known about a deleted quota. */
  forget(key: string): void {
    this.#ownRevisions.delete(key);
    this.#foreignWriteTimesMs.delete(key);
  }

  reset(): void {
    this.quotas.reset();
    this.#ownRevisions.clear();
    this.#foreignWriteTimesMs.clear();
  }
}

/** Ends an update whose `change` returned undefined. */
class NothingToWrite extends Error {}
