// Base of controllers with one informer and a work queue.
import type { Api } from '../../registry/api.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Change, StoredObject } from '../../store/store.ts';
import type { Controller, ControllerContext } from './controller.ts';
import type { WorkQueue, WorkQueueOptions } from './work-queue.ts';

export abstract class InformerController implements Controller {
  protected readonly api: Api;
  protected readonly queue: WorkQueue;
  readonly #follower: Reflector;
  #unsubscribe = () => {};

  constructor(
    { api, newQueue }: ControllerContext,
    prefix: string,
    work: Omit<WorkQueueOptions, 'reconcile'>,
  ) {
    this.api = api;
    this.queue = newQueue({ ...work, reconcile: (key) => this.reconcile(key) });
    this.#follower = new Reflector(api.store, prefix, {
      add: (stored) => this.onUpsert(stored),
      remove: (stored, isReplaced) => this.onRemove(stored, isReplaced),
      clear: () => {
        this.onReset();
        this.queue.clear();
      },
    });
  }

  start(): Promise<void> | void {
    if (this.onAnyChange) {
      this.#unsubscribe = this.api.store.subscribe((changes) => this.onAnyChange?.(changes));
    }
    void this.#follower.warmUp();
  }

  reset(): void {
    this.#follower.reset();
    void this.#follower.warmUp();
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#follower.close();
    await this.queue.close();
  }

  /** Reconciles the current state of a key. */
  protected abstract reconcile(key: string): Promise<void>;

  /** The object was added or updated. */
  protected onUpsert({ key }: StoredObject): void {
    this.queue.add(key);
  }

  /** The object was deleted, or (`isReplaced`) is about to be added in a new state. */
  protected onRemove(_stored: StoredObject, _isReplaced: boolean): void {}

  /** Drops indexes: the store was restored to another state. */
  protected onReset(): void {}

  /** Changes of all resources. Implement it only if other resources matter. */
  protected onAnyChange?(changes: readonly Change[]): void;
}
