// An informer over the API: lists, then watches, and keeps the objects in a cache (client-go: SharedInformer).
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../errors/status.ts';
import type { ObjectEvent } from './object-events.ts';

export interface CacheHandlers<T> {
  onAdd?(object: T): void;
  onUpdate?(oldObject: T, newObject: T): void;
  /** With the last state that was seen. */
  onDelete?(object: T): void;
  /** A failed list or watch. The informer tries again. */
  onError?(error: unknown): void;
}

/** Where the objects come from. */
export interface ObjectSource<T> {
  list(): Promise<{ readonly items: readonly T[]; readonly resourceVersion: string }>;
  watch(resourceVersion: string, signal: AbortSignal): AsyncIterable<ObjectEvent<T>>;
}

interface CachedObject {
  metadata?: { name?: string; namespace?: string; resourceVersion?: string };
}

/** Time before the next attempt after a failure. */
const retryMs = 200;

/** It begins at once. */
export class CachedInformer<T extends CachedObject> {
  /** Resolves once the first list is in the cache; rejects if the informer is stopped before. */
  readonly synced: Promise<void>;
  readonly #source: ObjectSource<T>;
  readonly #handlers: CacheHandlers<T>;
  readonly #objects = new Map<string, T>();
  readonly #abort = new AbortController();

  constructor(source: ObjectSource<T>, handlers: CacheHandlers<T>) {
    this.#source = source;
    this.#handlers = handlers;
    this.synced = new Promise((resolve, reject) => {
      this.#abort.signal.addEventListener('abort', () => reject(new Error('the informer was stopped')));
      void this.#run(resolve);
    });
    // Whoever does not wait for it need not handle it.
    this.synced.catch(() => {});
  }

  get(name: string, namespace = ''): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  stop(): void {
    this.#abort.abort();
  }

  async #run(onSynced: () => void): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        const { items, resourceVersion } = await this.#source.list();
        if (signal.aborted) return;
        this.#replace(items);
        onSynced();
        await this.#watch(resourceVersion);
      } catch (error) {
        if (signal.aborted) return;
        // The version is too old: list again.
        if (error instanceof ApiError && error.code === 410) continue;
        this.#handlers.onError?.(error);
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }

  /** Watches, again from the latest version when the server ends the watch. */
  async #watch(after: string): Promise<never> {
    for (let resourceVersion = after; ; ) {
      let hasEvents = false;
      for await (const { type, object } of this.#source.watch(resourceVersion, this.#abort.signal)) {
        hasEvents = true;
        resourceVersion = object.metadata?.resourceVersion ?? resourceVersion;
        if (type === 'DELETED') this.#remove(object);
        else if (type !== 'BOOKMARK') this.#put(object);
      }
      // A server that is shutting down ends each watch at once.
      if (!hasEvents) await sleep(retryMs, undefined, { ref: false });
    }
  }

  #replace(items: readonly T[]): void {
    const listed = new Set(items.map(keyOf));
    for (const [key, object] of this.#objects) if (!listed.has(key)) this.#remove(object);
    for (const item of items) this.#put(item);
  }

  #put(object: T): void {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    if (!old) this.#handlers.onAdd?.(object);
    else if (old.metadata?.resourceVersion !== object.metadata?.resourceVersion) {
      this.#handlers.onUpdate?.(old, object);
    }
  }

  #remove(object: T): void {
    if (this.#objects.delete(keyOf(object))) this.#handlers.onDelete?.(object);
  }
}

const keyOf = ({ metadata }: CachedObject) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
