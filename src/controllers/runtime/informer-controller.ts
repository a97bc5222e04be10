import type { Api } from '../../registry/api.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Change, StoredObject } from '../../store/store.ts';
import type { Controller, ControllerContext } from './controller.ts';
import type { WorkQueue, WorkQueueOptions } from './work-queue.ts';

/** A controller that follows the objects of a resource, and looks at keys that it hears of through them one by one. */
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

  /** Does what is to be done about a key, as things are now. */
  protected abstract reconcile(key: string): Promise<void>;

  /** An object is there, new or changed. */
  protected onUpsert({ key }: StoredObject): void {
    this.queue.add(key);
  }

  /** An object is not there any more, or is about to be heard of in another state. */
  protected onRemove(_stored: StoredObject, _isReplaced: boolean): void {}

  /** The store has become another one. */
  protected onReset(): void {}

  /** Something has changed, of whatever resource. Left out where only what is followed matters. */
  protected onAnyChange?(changes: readonly Change[]): void;
}
