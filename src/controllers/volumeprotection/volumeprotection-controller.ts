// persistentvolume-protection-controller and persistentvolumeclaim-protection-controller: block the deletion of
// volumes and claims in use.
import type { Pod } from '../../apis/core/pod.ts';
import type { ChangeableMetadata } from '../../client/client.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Lister } from '../../client/lister.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { removeFinalizer } from '../runtime/finalizers.ts';
import { InformerController } from '../runtime/informer-controller.ts';

const pods = { group: '', version: 'v1', resource: 'pods' } as const;

/** A protected resource of the core group. */
export interface ProtectedResource {
  readonly queueName: string;
  readonly resource: string;
  readonly finalizer: string;
  /** Whether the deletion of a pod may end the use. */
  readonly isUsedByPods: boolean;
  isUsed(object: InformerObject<ApiObject>, pods: Lister<Pod>): boolean | Promise<boolean>;
}

/** Adds the finalizer, and removes it once the object is being deleted and not in use. */
export class VolumeProtectionController extends InformerController<ApiObject> {
  readonly #protected: ProtectedResource;
  readonly #context: ControllerContext;
  readonly #pods: Lister<Pod>;
  readonly #finalizerJson: string;
  /** Keys of objects that are being deleted while in use. */
  readonly #terminatingInUse = new Set<string>();

  constructor(context: ControllerContext, protectedResource: ProtectedResource) {
    const { resource, queueName, finalizer, isUsedByPods } = protectedResource;
    super(context, { group: '', version: 'v1', resource }, { name: queueName });
    this.#protected = protectedResource;
    this.#context = context;
    this.#pods = context.informers.lister(pods);
    if (isUsedByPods) this.watch(pods, { onDelete: () => this.#onPodDelete() });
    this.#finalizerJson = JSON.stringify(finalizer);
  }

  protected override onAdd({ key, json }: InformerObject<ApiObject>): void {
    // Most objects have the finalizer and are not being deleted.
    if (json.includes('"deletionTimestamp":"') || !json.includes(this.#finalizerJson)) this.queue.add(key);
  }

  protected override onDelete({ key }: InformerObject<ApiObject>): void {
    this.#terminatingInUse.delete(key);
  }

  protected override onReset(): void {
    this.#terminatingInUse.clear();
  }

  #onPodDelete(): void {
    for (const key of this.#terminatingInUse) this.queue.add(key);
  }

  protected async reconcile(key: string): Promise<void> {
    const object = this.informer.getByKey(key);
    const metadata = object?.metadata();
    if (!metadata) return;
    const { finalizer } = this.#protected;
    const isProtected = metadata.finalizers?.includes(finalizer) ?? false;
    const isTerminating = metadata.deletionTimestamp !== undefined;
    // Protected and not terminating is the normal state; a terminating object gets no finalizer any more.
    if (isProtected !== isTerminating) return;
    if (isTerminating && (await this.#protected.isUsed(object!, this.#pods))) {
      this.#terminatingInUse.add(key);
      return;
    }
    const { client, identity } = this.#context;
    const change = (latest: ChangeableMetadata) => {
      if (isTerminating) removeFinalizer(latest, finalizer);
      else latest.finalizers = [...(latest.finalizers ?? []), finalizer];
    };
    await client.mutateMetadata(this.informer, key, metadata.uid ?? '', change, identity);
  }
}
