// Keeps an in-memory index in step with the objects of one resource: an initial list, then the store's change feed.
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
    this.#index.clear();
  }

  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#resumeKey = undefined;
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
      this.#index.add(object);
      this.#resumeKey = object.key;
    }
    view.release();
    if (count <= limit) this.#resumeKey = undefined;
  }

  #subscribe(): () => void {
    const onChanges = (changes: readonly Change[]) => {
      for (const { type, object, previous } of changes) {
        if (previous && type !== 'deleted' && this.#index.update) {
          this.#index.update(previous, object);
          continue;
        }
        if (previous) this.#index.remove(previous, type !== 'deleted');
        if (type !== 'deleted') this.#index.add(object);
      }
    };
    return this.#store.subscribe(onChanges, [this.#prefix]);
  }
}
