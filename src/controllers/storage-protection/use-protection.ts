import type { User } from '../../http/exchange.ts';
import type { Api } from '../../resource/api.ts';
import { tryGlanceAt } from '../../resource/codec.ts';
import type { ApiObject } from '../../resource/definition.ts';
import { Follower } from '../../store/follower.ts';
import { changeMetadata, dropFinalizer } from '../change-metadata.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { controllerUser } from '../controller-user.ts';
import type { WorkQueue } from '../work-queue.ts';

/** A core kind whose objects stay as long as somebody uses them. */
export interface Protected {
  /** The name of the controller's queue. */
  readonly keeper: string;
  /** The service account whose rights it has. */
  readonly account: string;
  readonly plural: string;
  readonly finalizer: string;
  /** The kind in the same namespace whose objects use it until they are gone. */
  readonly users?: string;
  isUsed(api: Api, object: ApiObject): boolean | Promise<boolean>;
}

/** Keeps a finalizer on objects, until they are to go and nobody uses them any more. */
export class UseProtection implements Controller {
  readonly #api: Api;
  readonly #kind: Protected;
  readonly #user: User;
  readonly #queue: WorkQueue;
  readonly #follower: Follower;
  /** The keys of those that are to go but are used. */
  readonly #used = new Set<string>();
  #unsubscribe = () => {};

  constructor({ api, newQueue }: ControllerContext, kind: Protected) {
    this.#api = api;
    this.#kind = kind;
    this.#user = controllerUser(api.dialect, kind.account);
    this.#queue = newQueue({ name: kind.keeper, work: (key) => this.#look(key) });
    const finalizer = JSON.stringify(kind.finalizer);
    this.#follower = new Follower(api.store, kind.plural, {
      add: ({ key, json }) => {
        // Most stay, and have it.
        if (json.includes('"deletionTimestamp":"') || !json.includes(finalizer)) this.#queue.add(key);
      },
      remove: ({ key }, isReplaced) => {
        if (!isReplaced) this.#used.delete(key);
      },
      clear: () => {
        this.#used.clear();
        this.#queue.clear();
      },
    });
  }

  start(): void {
    const { users } = this.#kind;
    this.#unsubscribe = this.#api.store.subscribe((changes) => {
      if (this.#used.size === 0) return;
      if (changes.some(({ prefix, type }) => prefix === users && type === 'deleted')) {
        for (const key of this.#used) this.#queue.add(key);
      }
    });
    void this.#follower.warmUp();
  }

  reset(): void {
    this.#follower.reset();
    void this.#follower.warmUp();
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#follower.close();
    await this.#queue.close();
  }

  async #look(key: string): Promise<void> {
    const resource = this.#api.registry.kind('', 'v1', this.#kind.plural);
    const stored = this.#api.store.get(key);
    const object = stored && tryGlanceAt(resource, stored);
    if (!object) return;
    const { metadata } = object;
    const { finalizer } = this.#kind;
    const isProtected = metadata.finalizers?.includes(finalizer) ?? false;
    const isToGo = metadata.deletionTimestamp !== undefined;
    if (isProtected !== isToGo) return;
    const target = { resource, ...resource.placeOf(key), subresource: '' };
    if (isToGo && (await this.#kind.isUsed(this.#api, object))) {
      this.#used.add(key);
      return;
    }
    await changeMetadata(this.#api, this.#user, target, metadata, (now) => {
      if (isToGo) dropFinalizer(now, finalizer);
      else now.finalizers = [...(now.finalizers ?? []), finalizer];
    });
  }
}
