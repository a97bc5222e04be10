// persistentvolume-protection-controller and persistentvolumeclaim-protection-controller: block the deletion of
// volumes and claims in use.
import type { ApiObject } from '../../kind/api-object.ts';
import { tryGlanceAt } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';
import type { Change, StoredObject } from '../../store/store.ts';
import type { ControllerContext, ControllerIdentity } from '../runtime/controller.ts';
import { InformerController } from '../runtime/informer-controller.ts';
import { patchMetadata, removeFinalizer } from '../runtime/patch-metadata.ts';

/** A protected kind of the core group. */
export interface Protected {
  readonly keeper: string;
  readonly plural: string;
  readonly finalizer: string;
  /** The kind whose objects use it, in the same namespace. */
  readonly users?: string;
  isUsed(api: Api, object: ApiObject): boolean | Promise<boolean>;
}

/** Adds the finalizer, and removes it once the object is being deleted and not in use. */
export class VolumeProtectionController extends InformerController {
  readonly #kind: Protected;
  readonly #acting: ControllerIdentity;
  /** The finalizer as JSON. */
  readonly #finalizer: string;
  /** Keys of objects that are being deleted while in use. */
  readonly #used = new Set<string>();

  constructor(context: ControllerContext, kind: Protected) {
    super(context, kind.plural, { name: kind.keeper });
    this.#kind = kind;
    this.#acting = context.identity;
    this.#finalizer = JSON.stringify(kind.finalizer);
  }

  protected override onUpsert({ key, json }: StoredObject): void {
    // Most objects have the finalizer and are not being deleted.
    if (json.includes('"deletionTimestamp":"') || !json.includes(this.#finalizer)) this.queue.add(key);
  }

  protected override onRemove({ key }: StoredObject, isReplaced: boolean): void {
    if (!isReplaced) this.#used.delete(key);
  }

  protected override onReset(): void {
    this.#used.clear();
  }

  protected override onAnyChange(changes: readonly Change[]): void {
    if (this.#used.size === 0) return;
    if (changes.some(({ prefix, type }) => prefix === this.#kind.users && type === 'deleted')) {
      for (const key of this.#used) this.queue.add(key);
    }
  }

  protected async reconcile(key: string): Promise<void> {
    const resource = this.api.registry.kind('', 'v1', this.#kind.plural);
    const stored = this.api.store.get(key);
    const object = stored && tryGlanceAt(resource, stored);
    if (!object) return;
    const { metadata } = object;
    const { finalizer } = this.#kind;
    const isProtected = metadata.finalizers?.includes(finalizer) ?? false;
    const isToGo = metadata.deletionTimestamp !== undefined;
    if (isProtected !== isToGo) return;
    const target = { resource, ...resource.placeOf(key), subresource: '' };
    if (isToGo && (await this.#kind.isUsed(this.api, object))) {
      this.#used.add(key);
      return;
    }
    await patchMetadata(this.api, this.#acting, target, metadata, (now) => {
      if (isToGo) removeFinalizer(now, finalizer);
      else now.finalizers = [...(now.finalizers ?? []), finalizer];
    });
  }
}
