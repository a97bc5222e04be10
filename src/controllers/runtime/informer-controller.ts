// Base of controllers with one informer and a work queue.
import type { Informer, InformerHandlers } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { ResourceId } from '../../client/informers.ts';
import type { Controller, ControllerContext } from './controller.ts';
import type { WorkQueue, WorkQueueOptions } from './work-queue.ts';

/**
 * Queues the key of every object of its resource that is added or updated. Subclasses reconcile the keys, and may follow
 * other resources with `watch`.
 */
export abstract class InformerController<T> implements Controller {
  protected readonly queue: WorkQueue;
  protected readonly informer: Informer<T>;
  readonly #informers: ControllerContext['informers'];
  readonly #watches: Pick<Informer<unknown>, 'watch' | 'reset' | 'close'>[] = [];

  constructor(
    { informers, newQueue }: ControllerContext,
    resource: ResourceId,
    queueOptions: Omit<WorkQueueOptions, 'reconcile'>,
  ) {
    this.#informers = informers;
    this.queue = newQueue({ ...queueOptions, reconcile: (key) => this.reconcile(key) });
    this.informer = informers.informer<T>(resource, {
      onAdd: (object) => this.onAdd(object),
      onUpdate: (oldObject, newObject) => this.onUpdate(oldObject, newObject),
      onDelete: (object) => this.onDelete(object),
      onReset: () => {
        this.onReset();
        this.queue.clear();
      },
    });
  }

  start(): Promise<void> | void {
    for (const informer of this.#watches) informer.watch();
    this.informer.start();
  }

  reset(): void {
    for (const informer of this.#watches) {
      informer.reset();
      informer.watch();
    }
    this.informer.reset();
    this.informer.start();
  }

  async close(): Promise<void> {
    for (const informer of this.#watches) informer.close();
    this.informer.close();
    await this.queue.close();
  }

  /** Watches another resource, without its existing objects, while the controller runs. Call it in the constructor. */
  protected watch<Other>(resource: ResourceId, handlers: InformerHandlers<Other>): Informer<Other> {
    const informer = this.#informers.informer<Other>(resource, handlers);
    this.#watches.push(informer);
    return informer;
  }

  /** Reconciles the current state of a key. */
  protected abstract reconcile(key: string): Promise<void>;

  protected onAdd({ key }: InformerObject<T>): void {
    this.queue.add(key);
  }

  /** By default, an update is handled like an addition of the new state. */
  protected onUpdate(_oldObject: InformerObject<T>, newObject: InformerObject<T>): void {
    this.onAdd(newObject);
  }

  protected onDelete(_object: InformerObject<T>): void {}

  /** Drops indexes: the store was restored to another state. */
  protected onReset(): void {}
}
