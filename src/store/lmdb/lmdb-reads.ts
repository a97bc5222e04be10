/** Base class of stores whose state and history are in an LMDB file: all reads, which are synchronous, and listeners. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ChangeListeners } from '../change-listeners.ts';
import {
  type Change,
  type ChangeListener,
  Compacted,
  type Revision,
  type StoredObject,
  type StoreStats,
  type View,
} from '../store.ts';
import { DATA_FILE } from './directory.ts';
import type { LmdbEnvironment } from './environment.ts';
import { readHistory } from './history.ts';
import { IndexReads } from './index-reads.ts';
import { LargeObjectCache } from './large-object-cache.ts';
import { LmdbView } from './view.ts';

export abstract class LmdbReads {
  protected readonly environment: LmdbEnvironment;
  protected readonly listeners = new ChangeListeners();
  readonly listenerFailures = this.listeners.failures;
  readonly #dir: string;
  readonly #resetListeners = new Set<() => void>();
  readonly #largeObjects = new LargeObjectCache();
  readonly #indexReads = new IndexReads((id) => this.onIndexUse(id));

  constructor(dir: string, environment: LmdbEnvironment) {
    this.#dir = dir;
    this.environment = environment;
  }

  get revision(): Revision {
    return this.environment.snapshot.state.revision;
  }

  get compacted(): Revision {
    return this.environment.snapshot.state.compacted;
  }

  get(key: string): StoredObject | undefined {
    return this.#largeObjects.get(this.environment.snapshot, key);
  }

  pin(): View {
    return new LmdbView(this.environment.snapshot, this.#indexReads);
  }

  history(prefix: string, after: Revision, until = this.revision, keyPrefix = ''): Iterable<Change> {
    if (after < this.compacted) throw new Compacted(this.compacted);
    return readHistory(this.environment, prefix, after, Math.min(until, this.revision), keyPrefix);
  }

  subscribe(listener: ChangeListener, prefixes?: Iterable<string>): () => void {
    return this.listeners.add(listener, prefixes);
  }

  onReset(listener: () => void): () => void {
    this.#resetListeners.add(listener);
    return () => this.#resetListeners.delete(listener);
  }

  stats(): StoreStats {
    const { revision, compacted, objects } = this.environment.snapshot.state;
    return { objects, changes: revision - compacted, bytes: statSync(join(this.#dir, DATA_FILE)).size };
  }

  /** Called from time to time with the id of an index that lists use. */
  protected abstract onIndexUse(id: number): void;

  /** Notifies everything that follows this store that it must relist. */
  protected notifyReset(): void {
    for (const listener of [...this.#resetListeners]) listener();
  }
}
