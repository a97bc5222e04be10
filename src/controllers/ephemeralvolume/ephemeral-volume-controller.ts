// Ephemeral volume controller: creates the PersistentVolumeClaim of each ephemeral volume of a pod, owned by the pod.
// The claim is named `<pod>-<volume>`. A claim of that name that the pod does not own is left as it is: nothing starts the
// pod then, and an event says why. Garbage collection deletes the claim with its pod.
import type { Pod } from '../../apis/core/pod.ts';
import type { Volume } from '../../apis/core/volume.ts';
import type { Client, Manifest } from '../../client/client.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Change, StoredObject } from '../../store/store.ts';
import type { ControllerContext, ControllerIdentity } from '../runtime/controller.ts';
import type { EventRecorder } from '../runtime/event-recorder.ts';
import { InformerController } from '../runtime/informer-controller.ts';

const claimsPrefix = 'persistentvolumeclaims';
/** As upstream's event source spells it. */
const component = 'ephemeral_volume';

export class EphemeralVolumeController extends InformerController {
  readonly #client: Client;
  readonly #acting: ControllerIdentity;
  readonly #events: EventRecorder;
  /** The keys of the claims of each pod with ephemeral volumes, and of the pods of each claim. */
  readonly #claimsOf = new Map<string, readonly string[]>();
  readonly #podsOf = new Map<string, Set<string>>();

  constructor(context: ControllerContext) {
    super(context, 'pods', { name: 'ephemeral_volume' });
    this.#client = context.client;
    this.#acting = context.identity;
    this.#events = context.events;
  }

  protected override onUpsert({ key, json }: StoredObject): void {
    if (json.includes('"ephemeral":')) this.queue.add(key);
  }

  protected override onRemove({ key }: StoredObject, isReplaced: boolean): void {
    if (!isReplaced) this.#forget(key);
  }

  protected override onReset(): void {
    this.#claimsOf.clear();
    this.#podsOf.clear();
  }

  /** A claim that was deleted is created again while its pod is there, also in place of one that was in the way. */
  protected override onAnyChange(changes: readonly Change[]): void {
    if (this.#podsOf.size === 0) return;
    for (const { prefix, type, key } of changes) {
      if (prefix !== claimsPrefix || type !== 'deleted') continue;
      for (const pod of this.#podsOf.get(key) ?? []) this.queue.add(pod);
    }
  }

  protected async reconcile(key: string): Promise<void> {
    const pod = await this.#podAt(key);
    if (!pod || pod.metadata.deletionTimestamp !== undefined) return this.#forget(key);
    const volumes = (pod.spec.volumes ?? []).filter(({ ephemeral }) => ephemeral !== undefined);
    // Before the claims are read: what is deleted from here on is heard of.
    this.#remember(key, pod, volumes);
    for (const volume of volumes) await this.#ensureClaim(pod, volume);
  }

  async #podAt(key: string): Promise<Pod | undefined> {
    const { namespace, name } = this.api.registry.kind('', 'v1', 'pods').placeOf(key);
    return (await this.#read('Pod', namespace, name)) as Pod | undefined;
  }

  async #read(kind: string, namespace: string, name: string): Promise<ApiObject | undefined> {
    try {
      return await this.#client.get({ apiVersion: 'v1', kind, namespace, name });
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  async #ensureClaim(pod: Pod, volume: Volume): Promise<void> {
    const name = claimName(pod, volume);
    const namespace = pod.metadata.namespace!;
    const found = await this.#read('PersistentVolumeClaim', namespace, name);
    if (!found) return this.#create(pod, volume, name);
    const owner = found.metadata.ownerReferences?.find(({ controller }) => controller);
    if (owner?.uid === pod.metadata.uid) return;
    const of = `${namespace}/${pod.metadata.name}`;
    this.#warn(
      pod,
      `ephemeral volume ${volume.name}: PVC ${namespace}/${name} was not created for pod ${of} (pod is not owner)`,
    );
  }

  async #create(pod: Pod, volume: Volume, name: string): Promise<void> {
    try {
      await this.#client.create(claimFor(pod, volume, name), this.#acting);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating')) return;
      // A claim that was created meanwhile is looked at when the queue comes back to the pod.
      if (error.reason !== 'AlreadyExists') {
        this.#warn(pod, `ephemeral volume ${volume.name}: create PVC ${name}: ${error.message}`);
      }
      throw error;
    }
  }

  #warn({ metadata }: Pod, message: string): void {
    const { name, namespace, uid, resourceVersion } = metadata;
    const involvedObject = {
      apiVersion: 'v1',
      kind: 'Pod',
      name: name!,
      namespace: namespace!,
      uid: uid!,
      resourceVersion: resourceVersion!,
    };
    this.#events.record({
      involvedObject,
      type: 'Warning',
      reason: 'FailedBinding',
      message,
      component: component,
    });
  }

  #remember(key: string, pod: Pod, volumes: readonly Volume[]): void {
    this.#forget(key);
    const claims = this.api.registry.kind('', 'v1', claimsPrefix);
    const keys = volumes.map((volume) => claims.key(pod.metadata.namespace!, claimName(pod, volume)));
    if (keys.length === 0) return;
    this.#claimsOf.set(key, keys);
    for (const claim of keys) this.#podsOf.set(claim, (this.#podsOf.get(claim) ?? new Set()).add(key));
  }

  #forget(key: string): void {
    for (const claim of this.#claimsOf.get(key) ?? []) {
      const pods = this.#podsOf.get(claim);
      pods?.delete(key);
      if (pods?.size === 0) this.#podsOf.delete(claim);
    }
    this.#claimsOf.delete(key);
  }
}

const claimName = ({ metadata }: Pod, { name }: Volume) => `${metadata.name}-${name}`;

/** The template's spec as it is, with its labels and annotations. */
function claimFor({ metadata }: Pod, { ephemeral }: Volume, name: string): Manifest {
  const { metadata: template, spec } = ephemeral!.volumeClaimTemplate!;
  const owner = {
    apiVersion: 'v1',
    kind: 'Pod',
    name: metadata.name!,
    uid: metadata.uid!,
    controller: true,
    blockOwnerDeletion: true,
  };
  const { labels, annotations } = template ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: metadata.namespace!,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ownerReferences: [owner],
    },
    spec,
  } as Manifest;
}
