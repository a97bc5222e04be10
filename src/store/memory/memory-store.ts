/**
 * In-memory storage backend, for tests and `--storage memory`: nothing survives the process.
 *
 * A write is durable as soon as it is applied. States are immutable and structurally shared, so pins, snapshots and
 * forks take constant time.
 */

import type { Clock } from '../../base/clock.ts';
import { ChangeListeners } from '../change-listeners.ts';
import { localReader } from '../consistent-reader.ts';
import {
  type Change,
  type ChangeListener,
  Compacted,
  PreconditionFailed,
  type Revision,
  StorageUnavailable,
  type Store,
  type StoredObject,
  type StoreStats,
  type View,
  type Write,
} from '../store.ts';
import { assertValidKey, replaceRevision, spliceRevision } from '../stored-object.ts';
import { Expiries, type ExpiryIndex } from './expiries.ts';
import { OrderedMap } from './ordered-map.ts';

export interface MemoryStoreOptions {
  readonly clock: Clock;
  /** Retention of the history: maximum age and maximum number of changes. */
  readonly historyMs?: number;
  readonly historyChanges?: number;
}

interface State {
  readonly revision: Revision;
  readonly objects: OrderedMap<Entry>;
  /** Total length of all objects' JSON. */
  readonly bytes: number;
}

/** A state to restore. It can be used by any number of stores, any number of times. */
export interface MemorySnapshot extends State {
  readonly timetable: ExpiryIndex;
}

interface Entry {
  readonly prefix: string;
  readonly object: StoredObject;
}

export class MemoryStore implements Store {
  readonly isShared = false;
  readonly reader = localReader;
  readonly #options: MemoryStoreOptions;
  readonly #clock: Clock;
  readonly #listeners = new ChangeListeners();
  readonly listenerFailures = this.#listeners.failures;
  readonly #resetListeners = new Set<() => void>();
  readonly #history: HistoryWindow;
  readonly #expiries: Expiries;
  #state: State;
  #closed = false;

  constructor(options: MemoryStoreOptions, from: MemorySnapshot = emptySnapshot) {
    const { clock, historyMs = 5 * 60_000, historyChanges = 200_000 } = options;
    this.#options = options;
    this.#clock = clock;
    this.#state = from;
    this.#history = new HistoryWindow(clock, historyMs, historyChanges, from.revision);
    this.#expiries = new Expiries(clock, (key) => this.#expire(key));
    this.#expiries.restart(from.timetable);
  }

  get revision(): Revision {
    return this.#state.revision;
  }

  get compacted(): Revision {
    return this.#history.compacted;
  }

  async commit(write: Write): Promise<Change> {
    if (this.#closed) throw new StorageUnavailable('the store is closed');
    return this.#commit(write);
  }

  async head(): Promise<Revision> {
    return this.revision;
  }

  get(key: string): StoredObject | undefined {
    return this.#state.objects.get(key)?.object;
  }

  pin(): View {
    return new MemoryView(this.#state);
  }

  history(prefix: string, after: Revision, until = this.revision, keyPrefix = ''): Iterable<Change> {
    return this.#history.read(prefix, after, Math.min(until, this.revision), keyPrefix);
  }

  subscribe(listener: ChangeListener, prefixes?: Iterable<string>): () => void {
    return this.#listeners.add(listener, prefixes);
  }

  async compact(revision: Revision): Promise<void> {
    this.#history.compact(Math.min(revision, this.revision));
  }

  stats(): StoreStats {
    return {
      objects: this.#state.objects.size,
      changes: this.revision - this.compacted,
      bytes: this.#state.bytes + this.#history.bytes,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#expiries.stop();
    this.#history.stop();
  }

  snapshot(): MemorySnapshot {
    return { ...this.#state, timetable: this.#expiries.timetable };
  }

  /**
   * Replaces all objects with those of the snapshot. The revision still increases past every revision ever assigned
   * here, and the history is compacted up to it: everything that follows this store must relist, so reset listeners
   * are called.
   */
  restore(snapshot: MemorySnapshot): void {
    const revision = Math.max(this.revision, snapshot.revision) + 1;
    this.#state = { revision, objects: snapshot.objects, bytes: snapshot.bytes };
    this.#history.restart(revision);
    this.#expiries.restart(snapshot.timetable);
    for (const listener of [...this.#resetListeners]) listener();
  }

  /** Removes all objects, with the semantics of `restore`. */
  reset(): void {
    this.restore(emptySnapshot);
  }

  onReset(listener: () => void): () => void {
    this.#resetListeners.add(listener);
    return () => this.#resetListeners.delete(listener);
  }

  /** An independent store that starts from the current state. */
  fork(options: Partial<MemoryStoreOptions> = {}): MemoryStore {
    return new MemoryStore({ ...this.#options, ...options }, this.snapshot());
  }

  #commit(write: Write): Change {
    const { prefix, key, expectedRevision, draft } = write;
    assertValidKey(prefix, key);
    const { objects, bytes } = this.#state;
    const previous = objects.get(key)?.object;
    if (expectedRevision !== undefined && expectedRevision !== (previous?.revision ?? 0))
      throw new PreconditionFailed(key, previous);
    const revision = this.revision + 1;
    const committedAtMs = this.#clock.now();
    let change: Change;
    if (draft) {
      const object = spliceRevision(draft, key, revision);
      change = previous
        ? { revision, type: 'updated', prefix, key, object, previous, committedAtMs }
        : { revision, type: 'created', prefix, key, object, committedAtMs };
    } else {
      if (!previous) throw new PreconditionFailed(key, undefined);
      change = {
        revision,
        type: 'deleted',
        prefix,
        key,
        object: replaceRevision(previous, revision),
        previous,
        committedAtMs,
      };
    }
    this.#state = {
      revision,
      objects: draft ? objects.with(key, { prefix, object: change.object }) : objects.without(key),
      bytes: bytes + (draft ? change.object.json.length : 0) - (previous?.json.length ?? 0),
    };
    this.#history.add(change);
    if (previous?.expiresAtMs !== undefined) this.#expiries.remove(previous.expiresAtMs, key);
    if (draft?.expiresAtMs !== undefined) this.#expiries.add(draft.expiresAtMs, key);
    this.#listeners.notify([change]);
    return change;
  }

  #expire(key: string): void {
    const entry = this.#state.objects.get(key);
    if (entry) this.#commit({ prefix: entry.prefix, key, draft: null });
  }
}

const emptySnapshot: MemorySnapshot = {
  revision: 0,
  objects: OrderedMap.empty(),
  bytes: 0,
  timetable: OrderedMap.empty(),
};

class MemoryView implements View {
  readonly revision: Revision;
  readonly #objects: OrderedMap<Entry>;

  constructor(state: State) {
    this.revision = state.revision;
    this.#objects = state.objects;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key)?.object;
  }

  *range(prefix: string, after?: string): Iterable<StoredObject> {
    for (const entry of this.#objects.range(prefix, after)) yield entry.object;
  }

  *keys(prefix: string, after?: string): Iterable<string> {
    for (const entry of this.#objects.range(prefix, after)) yield entry.object.key;
  }

  release(): void {}
}

/**
 * The recent changes. That with revision r is at index `#compactedCount` + r - `#compacted` - 1. A timer compacts old
 * changes.
 */
class HistoryWindow {
  readonly #clock: Clock;
  readonly #maxAgeMs: number;
  readonly #maxChanges: number;
  #changes: Change[] = [];
  /** Number of compacted changes at the front of `#changes` that have not been sliced off yet. */
  #compactedCount = 0;
  #compacted: Revision;
  #bytes = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, maxAgeMs: number, maxChanges: number, compacted: Revision) {
    this.#clock = clock;
    this.#maxAgeMs = maxAgeMs;
    this.#maxChanges = maxChanges;
    this.#compacted = compacted;
  }

  get compacted(): Revision {
    return this.#compacted;
  }

  /** Bytes of object states that are reachable only through the history. */
  get bytes(): number {
    return this.#bytes;
  }

  add(change: Change): void {
    this.#changes.push(change);
    this.#bytes += supersededBytes(change);
    if (this.#changes.length - this.#compactedCount > this.#maxChanges) this.compact(this.#compacted + 1);
    this.#scheduleCompaction();
  }

  read(prefix: string, after: Revision, until: Revision, keyPrefix: string): Iterable<Change> {
    if (after < this.#compacted) throw new Compacted(this.#compacted);
    return this.#read(prefix, after, until, keyPrefix);
  }

  *#read(
    prefix: string,
    after: Revision,
    until: Revision,
    keyPrefix: string,
  ): Generator<Change, void, undefined> {
    for (let revision = after + 1; revision <= until; revision++) {
      if (revision <= this.#compacted) throw new Compacted(this.#compacted);
      const change = this.#changes[this.#compactedCount + revision - this.#compacted - 1]!;
      if (change.prefix === prefix && change.key.startsWith(keyPrefix)) yield change;
    }
  }

  compact(revision: Revision): void {
    for (; this.#compacted < revision; this.#compacted++) {
      this.#bytes -= supersededBytes(this.#changes[this.#compactedCount++]!);
    }
    if (this.#compactedCount * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#compactedCount);
      this.#compactedCount = 0;
    }
  }

  /** Discards everything; the next change is `revision` + 1. */
  restart(revision: Revision): void {
    this.#changes = [];
    this.#compactedCount = 0;
    this.#bytes = 0;
    this.#compacted = revision;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #scheduleCompaction(): void {
    const oldest = this.#changes[this.#compactedCount];
    if (this.#cancelTimer || !oldest) return;
    // Waits a tenth longer than the maximum age, so that under steady writes one timer compacts many changes.
    const delayMs = Math.max(0, oldest.committedAtMs - this.#clock.now()) + this.#maxAgeMs * 1.1;
    this.#cancelTimer = this.#clock.after(delayMs, () => {
      this.#cancelTimer = undefined;
      const oldestKeptMs = this.#clock.now() - this.#maxAgeMs;
      let revision = this.#compacted;
      for (let i = this.#compactedCount; (this.#changes[i]?.committedAtMs ?? Infinity) <= oldestKeptMs; i++)
        revision++;
      this.compact(revision);
      this.#scheduleCompaction();
    });
  }
}

/** Bytes of the states that only the history still has after this change. */
function supersededBytes(change: Change): number {
  return (change.previous?.json.length ?? 0) + (change.type === 'deleted' ? change.object.json.length : 0);
}
