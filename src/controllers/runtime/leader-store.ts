// Fencing: the store as leader election and the controllers use it. Both pass everything on to the real store, except commits.
//
// Invariant: a write of a controller that commits was made by the leader of that moment. On a shared store the local check is not
// enough, because a write may reach the backend late, when another server leads: the backend compares the fence too.
import {
  type Change,
  type ChangeListener,
  type ConsistentReader,
  type Fence,
  FencedOff,
  type Revision,
  type Store,
  type StoredObject,
  type StoreStats,
  type View,
  type Write,
} from '../../store/store.ts';

/** What a write of a controller needs to know about this server's leadership. */
export interface Leadership {
  readonly isLeading: boolean;
  /** The fence that this server raised when it became leader. */
  readonly fence: Fence | undefined;
  /** Another server has raised the fence since, so this server no longer leads. */
  onFencedOff(fence: Fence): void;
}

/** Leadership was lost, or may have been. */
class NotLeader extends Error {
  constructor() {
    super('this server is no longer the leader');
  }
}

abstract class ForwardingStore implements Store {
  protected readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  abstract commit(write: Write): Promise<Change>;

  get revision(): Revision {
    return this.store.revision;
  }

  get isShared(): boolean {
    return this.store.isShared;
  }

  get reader(): ConsistentReader {
    return this.store.reader;
  }

  get listenerFailures(): Store['listenerFailures'] {
    return this.store.listenerFailures;
  }

  get compacted(): Revision {
    return this.store.compacted;
  }

  head = (): Promise<Revision> => this.store.head();
  get = (key: string): StoredObject | undefined => this.store.get(key);
  pin = (): View => this.store.pin();
  history = (...range: Parameters<Store['history']>): Iterable<Change> => this.store.history(...range);
  subscribe = (listener: ChangeListener, prefixes?: Iterable<string>): (() => void) =>
    this.store.subscribe(listener, prefixes);
  onReset = (listener: () => void): (() => void) => this.store.onReset(listener);
  compact = (revision: Revision): Promise<void> => this.store.compact(revision);
  stats = (): StoreStats => this.store.stats();
  close = (): Promise<void> => this.store.close();
}

/** The store of controllers: rejects a commit unless this server is the leader, now and when the backend commits. */
export class LeaderStore extends ForwardingStore {
  readonly #leadership: Leadership;

  constructor(store: Store, leadership: Leadership) {
    super(store);
    this.#leadership = leadership;
  }

  async commit(write: Write): Promise<Change> {
    const { isLeading, fence } = this.#leadership;
    if (!isLeading || !fence) throw new NotLeader();
    try {
      return await this.store.commit({ ...write, fence });
    } catch (error) {
      if (!(error instanceof FencedOff)) throw error;
      this.#leadership.onFencedOff(fence);
      throw new NotLeader();
    }
  }
}

/** The store of a candidate that acquires the lease: the same commit raises the fence. */
export class FenceRaisingStore extends ForwardingStore {
  readonly #name: string;

  constructor(store: Store, name: string) {
    super(store);
    this.#name = name;
  }

  commit(write: Write): Promise<Change> {
    return this.store.commit({ ...write, fence: { name: this.#name, raisedAt: 'now' } });
  }
}
