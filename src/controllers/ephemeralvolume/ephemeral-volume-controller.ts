// Ephemeral volume controller: creates the PersistentVolumeClaim of each ephemeral volume of a pod, owned by the pod.
// The claim is named `<pod>-<volume>`. A claim of that name that the pod does not own is left as it is, and an Event reports
// it. Garbage collection deletes the claim with its pod.
import type { Pod } from '../../apis/core/pod.ts';
import type { Volume } from '../../apis/core/volume.ts';
import type { Client, Manifest } from '../../client/client.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ControllerContext, ControllerIdentity } from '../runtime/controller.ts';
import type { EventRecorder } from '../runtime/event-recorder.ts';
import { InformerController } from '../runtime/informer-controller.ts';

const pods = { group: '', version: 'v1', resource: 'pods' } as const;
const claims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' } as const;
/** As upstream's event source spells it. */
const component = 'ephemeral_volume';

export class EphemeralVolumeController extends InformerController<Pod> {
  readonly #client: Client;
  readonly #identity: ControllerIdentity;
  readonly #events: EventRecorder;
  /** Keys of the claims of pods with ephemeral volumes, and the reverse. */
  readonly #claimsByPod = new Map<string, readonly string[]>();
  readonly #podsByClaim = new Map<string, Set<string>>();

  constructor(context: ControllerContext) {
    super(context, pods, { name: 'ephemeral_volume' });
    this.#client = context.client;
    this.#identity = context.identity;
    this.#events = context.events;
    this.watch(claims, { onDelete: ({ key }) => this.#onClaimDelete(key) });
  }

  protected override onAdd({ key, json }: InformerObject<Pod>): void {
    // Most pods have no ephemeral volume, and need not be parsed.
    if (json.includes('"ephemeral":')) this.queue.add(key);
  }

  protected override onDelete({ key }: InformerObject<Pod>): void {
    this.#removeFromIndex(key);
  }

  protected override onReset(): void {
    this.#claimsByPod.clear();
    this.#podsByClaim.clear();
  }

  /** A deleted claim is created again while its pod exists, also in place of a claim that the pod did not own. */
  #onClaimDelete(claim: string): void {
    for (const pod of this.#podsByClaim.get(claim) ?? []) this.queue.add(pod);
  }

  protected async reconcile(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    const pod = (await this.#read('Pod', namespace, name)) as Pod | undefined;
    if (!pod || pod.metadata.deletionTimestamp !== undefined) return this.#removeFromIndex(key);
    const volumes = (pod.spec.volumes ?? []).filter(({ ephemeral }) => ephemeral !== undefined);
    // Before the claims are read, so that no deletion of a claim is missed.
    this.#addToIndex(key, pod, volumes);
    for (const volume of volumes) await this.#ensureClaim(pod, volume);
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
    const claim = await this.#read('PersistentVolumeClaim', namespace, name);
    if (!claim) return this.#create(pod, volume, name);
    const owner = claim.metadata.ownerReferences?.find(({ controller }) => controller);
    if (owner?.uid === pod.metadata.uid) return;
    const key = `${namespace}/${pod.metadata.name}`;
    this.#warn(
      pod,
      `ephemeral volume ${volume.name}: PVC ${namespace}/${name} was not created for pod ${key} (pod is not owner)`,
    );
  }

  async #create(pod: Pod, volume: Volume, name: string): Promise<void> {
    try {
      await this.#client.create(claimFor(pod, volume, name), this.#identity);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating')) return;
      // A claim that was created concurrently is checked when the queue retries the pod.
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
      component,
    });
  }

  #addToIndex(key: string, pod: Pod, volumes: readonly Volume[]): void {
    this.#removeFromIndex(key);
    const claimKeys = volumes.map((volume) => `${pod.metadata.namespace}/${claimName(pod, volume)}`);
    if (claimKeys.length === 0) return;
    this.#claimsByPod.set(key, claimKeys);
    for (const claim of claimKeys) {
      const pods = this.#podsByClaim.get(claim) ?? new Set<string>();
      this.#podsByClaim.set(claim, pods.add(key));
    }
  }

  #removeFromIndex(key: string): void {
    for (const claim of this.#claimsByPod.get(key) ?? []) {
      const pods = this.#podsByClaim.get(claim);
      pods?.delete(key);
      if (pods?.size === 0) this.#podsByClaim.delete(claim);
    }
    this.#claimsByPod.delete(key);
  }
}

const claimName = ({ metadata }: Pod, { name }: Volume) => `${metadata.name}-${name}`;

/** The claim of a volume: spec, labels and annotations of its volumeClaimTemplate, owned by the pod. */
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
