// Fencing: the store as controllers use it under leader election. It passes everything on to the real store, except commits
// while this server does not lead.
import type {
  Change,
  ChangeListener,
  ConsistentReader,
  Revision,
  Store,
  StoredObject,
  StoreStats,
  View,
  Write,
} from '../../store/store.ts';

/** Leadership was lost, or may have been. */
class NotLeader extends Error {
  constructor() {
    super('this server is no longer the leader');
  }
}

/** Rejects a commit unless this server is the leader at that moment. */
export class LeaderStore implements Store {
  readonly #store: Store;
  readonly #isLeading: () => boolean;

  constructor(store: Store, isLeading: () => boolean) {
    this.#store = store;
    this.#isLeading = isLeading;
  }

  commit(write: Write): Promise<Change> {
    return this.#isLeading() ? this.#store.commit(write) : Promise.reject(new NotLeader());
  }

  get revision(): Revision {
    return this.#store.revision;
  }

  get isShared(): boolean {
    return this.#store.isShared;
  }

  get reader(): ConsistentReader {
    return this.#store.reader;
  }

  get listenerFailures(): Store['listenerFailures'] {
    return this.#store.listenerFailures;
  }

  get compacted(): Revision {
    return this.#store.compacted;
  }

  head = (): Promise<Revision> => this.#store.head();
  get = (key: string): StoredObject | undefined => this.#store.get(key);
  pin = (): View => this.#store.pin();
  history = (...range: Parameters<Store['history']>): Iterable<Change> => this.#store.history(...range);
  subscribe = (listener: ChangeListener, prefixes?: Iterable<string>): (() => void) =>
    this.#store.subscribe(listener, prefixes);
  onReset = (listener: () => void): (() => void) => this.#store.onReset(listener);
  compact = (revision: Revision): Promise<void> => this.#store.compact(revision);
  stats = (): StoreStats => this.#store.stats();
  close = (): Promise<void> => this.#store.close();
}
