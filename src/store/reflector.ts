/**
 * Keeps an in-memory index in step with the objects of one resource: an initial list, then the store's change feed.
 *
 * Invariant: the index holds the latest state of every object, or nothing of it. If the index throws, the object is
 * quarantined: it is removed from the index, as an undecodable one would be, and added again with its next change. So
 * one such object costs neither the others nor a restart.
 */
import type { Change, Store, StoredObject } from './store.ts';

/** An index over the objects of a resource. Its methods must be idempotent: an object may be added twice. */
export interface ReflectedIndex {
  add(object: StoredObject): void;
  /** `isReplaced`: this is an update, and the new state is added next. */
  remove(object: StoredObject, isReplaced: boolean): void;
  /** Called for an update instead of `remove` and `add`, if it is defined. */
  update?(previous: StoredObject, object: StoredObject): void;
  clear(): void;
}

/** Objects that `warmUp` reads per turn of the event loop. */
const batchSize = 200;

/** Fills an index on first use and keeps it up to date from the change feed. */
export class Reflector {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #index: ReflectedIndex;
  #unsubscribe: (() => void) | undefined;
  /** Resume key of the initial read; undefined once it is complete. */
  #resumeKey: string | undefined = '';
  /** Keys of objects on which the index failed. */
  readonly #quarantined = new Set<string>();

  constructor(store: Store, prefix: string, index: ReflectedIndex) {
    this.#store = store;
    this.#prefix = prefix;
    this.#index = index;
  }

  /** Completes the initial read synchronously; the index is current afterwards. */
  sync(): void {
    if (this.#resumeKey !== undefined) this.#readBatch(Number.POSITIVE_INFINITY);
  }

  /** Fills the index in batches and yields to the event loop in between, so that the first request need not do it. */
  async warmUp(): Promise<void> {
    while (this.#resumeKey !== undefined) {
      this.#readBatch(batchSize);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Follows changes without an initial read, for an index that needs no existing objects. */
  watch(): void {
    this.#unsubscribe ??= this.#subscribe();
    this.#resumeKey = undefined;
  }

  /** Clears the index after the store was restored to another state. */
  reset(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#resumeKey = '';
    this.#releaseAll();
    this.#index.clear();
  }

  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#resumeKey = undefined;
    this.#releaseAll();
  }

  /**
   * Continues the initial read. Changes to any key, read or not, arrive through the subscription: an object that is
   * added by both is added twice.
   */
  #readBatch(limit: number): void {
    this.#unsubscribe ??= this.#subscribe();
    const view = this.#store.pin();
    let count = 0;
    for (const object of view.range(`${this.#prefix}/`, this.#resumeKey || undefined)) {
      if (count++ === limit) break;
      this.#add(object);
      this.#resumeKey = object.key;
    }
    view.release();
    if (count <= limit) this.#resumeKey = undefined;
  }

  #subscribe(): () => void {
    const onChanges = (changes: readonly Change[]) => {
      for (const change of changes) this.#apply(change);
    };
    return this.#store.subscribe(onChanges, [this.#prefix]);
  }

  #apply({ type, key, object, previous }: Change): void {
    const wasQuarantined = this.#quarantined.size > 0 && this.#release(key);
    if (type !== 'deleted' && (wasQuarantined || !previous)) {
      this.#add(object);
      return;
    }
    try {
      if (type === 'deleted') {
        this.#index.remove(previous!, false);
      } else if (this.#index.update) {
        this.#index.update(previous!, object);
      } else {
        this.#index.remove(previous!, true);
        this.#index.add(object);
      }
    } catch (error) {
      // The index may hold parts of either state.
      this.#tryRemove(previous!);
      if (type === 'deleted') this.#store.listenerFailures.report(error, key);
      else this.#quarantine(object, error);
    }
  }

  #add(object: StoredObject): void {
    try {
      this.#index.add(object);
    } catch (error) {
      this.#quarantine(object, error);
    }
  }

  #quarantine(object: StoredObject, error: unknown): void {
    const { listenerFailures } = this.#store;
    this.#tryRemove(object);
    listenerFailures.report(error, object.key);
    if (this.#quarantined.has(object.key)) return;
    this.#quarantined.add(object.key);
    listenerFailures.addQuarantined(1);
  }

  #tryRemove(object: StoredObject): void {
    try {
      this.#index.remove(object, false);
    } catch {
      // The error that led here is reported.
    }
  }

  /** Returns whether the object was quarantined. */
  #release(key: string): boolean {
    const wasQuarantined = this.#quarantined.delete(key);
    if (wasQuarantined) this.#store.listenerFailures.addQuarantined(-1);
    return wasQuarantined;
  }

  #releaseAll(): void {
    this.#store.listenerFailures.addQuarantined(-this.#quarantined.size);
    this.#quarantined.clear();
  }
}
