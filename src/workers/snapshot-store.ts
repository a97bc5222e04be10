// The store of a worker thread: has only the objects that the serving thread (the main thread) sent with the write.
import { localReader } from '../store/consistent-reader.ts';
import { ListenerFailures } from '../store/listener-failures.ts';
import type { Change, Revision, Store, StoredObject, StoreStats, View } from '../store/store.ts';

/** The write depends on more than the snapshot has: the serving thread has to run it. */
export class NotOffloadable extends Error {}

export interface SnapshotObjects {
  readonly objects: ReadonlyMap<string, StoredObject>;
  /** No object exists with this key prefix, except for `objects`. Undefined: nothing is known of other keys. */
  readonly absentPrefix: string | undefined;
}

export class SnapshotStore implements Store {
  readonly revision: Revision = 0;
  readonly compacted: Revision = 0;
  readonly isShared = false;
  readonly reader = localReader;
  readonly listenerFailures = new ListenerFailures();
  readonly #snapshot: SnapshotObjects;

  constructor(snapshot: SnapshotObjects) {
    this.#snapshot = snapshot;
  }

  /** Throws NotOffloadable if the snapshot does not tell whether the object exists. */
  get(key: string): StoredObject | undefined {
    const { objects, absentPrefix } = this.#snapshot;
    const object = objects.get(key);
    const isAbsent = absentPrefix !== undefined && key.startsWith(absentPrefix);
    if (!object && !isAbsent) {
      throw new NotOffloadable(`${key} is not in the snapshot`);
    }
    return object;
  }

  commit(): Promise<Change> {
    return Promise.reject(notOffloadable());
  }

  head(): Promise<Revision> {
    return Promise.reject(notOffloadable());
  }

  pin(): View {
    throw notOffloadable();
  }

  history(): Iterable<Change> {
    throw notOffloadable();
  }

  subscribe(): () => void {
    throw notOffloadable();
  }

  onReset(): () => void {
    throw notOffloadable();
  }

  compact(): Promise<void> {
    return Promise.reject(notOffloadable());
  }

  stats(): StoreStats {
    throw notOffloadable();
  }

  async close(): Promise<void> {}
}

const notOffloadable = () => new NotOffloadable('the snapshot has single objects only');
