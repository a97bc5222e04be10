// The provisioner of simulated volumes: creates, deletes and expands the PersistentVolumes of StorageClasses that name it, as an
// external provisioner and resizer would. The volumes have no content.
import type { Node } from '../apis/core/node.ts';
import type { PersistentVolume } from '../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../apis/core/persistentvolumeclaim.ts';
import { storageClassOf, storageOf } from '../apis/core/volume-binding.ts';
import { isDefaultStorageClass } from '../apis/storage/default-class.ts';
import type { StorageClass } from '../apis/storage/storageclass.ts';
import type { Informer } from '../client/informer.ts';
import type { Lister } from '../client/lister.ts';
import type { ControllerContext } from '../controllers/runtime/controller.ts';
import type { WorkQueue } from '../controllers/runtime/work-queue.ts';
import { ignoreNotFound } from '../errors/ignore-not-found.ts';
import { ApiError } from '../errors/status.ts';
import { compareQuantities } from '../schema/quantity.ts';
import { simulatedClassName, storageClassManifest, volumeManifest, volumeNameFor } from './volume-objects.ts';

const core = { group: '', version: 'v1' } as const;
/** Enough to share group commits. */
const workers = 16;
/** The field manager of its writes. */
const manager = 'simulated-volumes';
const claimPrefix = 'claim:';
const volumePrefix = 'volume:';

export class SimulatedVolumes {
  readonly #context: ControllerContext;
  readonly #provisioner: string;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #classes: Lister<StorageClass>;
  readonly #nodes: Lister<Node>;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    const { informers, newQueue, dialect } = context;
    this.#context = context;
    this.#provisioner = dialect.simulation.provisioner;
    const provisionerJson = JSON.stringify(this.#provisioner);
    this.#queue = newQueue({ name: 'simulated_volumes', reconcile: (key) => this.#reconcile(key), workers });
    this.#claims = informers.informer<PersistentVolumeClaim>(
      { ...core, resource: 'persistentvolumeclaims' },
      {
        // The annotation of the PersistentVolume controller names the provisioner.
        onAdd: ({ key, json }) => json.includes(provisionerJson) && this.#queue.add(claimPrefix + key),
        onUpdate: (_old, { key, json }) =>
          json.includes(provisionerJson) && this.#queue.add(claimPrefix + key),
        onReset: () => this.#queue.clear(),
      },
    );
    this.#volumes = informers.informer<PersistentVolume>(
      { ...core, resource: 'persistentvolumes' },
      {
        onAdd: ({ name }) => this.#queue.add(volumePrefix + name),
        onUpdate: (_old, { name }) => this.#queue.add(volumePrefix + name),
      },
    );
    this.#classes = informers.lister<StorageClass>({
      group: 'storage',
      version: 'v1',
      resource: 'storageclasses',
    });
    this.#nodes = informers.lister<Node>({ ...core, resource: 'nodes' });
  }

  /** Resolves once there is a default class. */
  async start(): Promise<void> {
    this.#volumes.start();
    this.#claims.start();
    await this.#ensureDefaultClass();
  }

  reset(): void {
    this.#volumes.reset();
    this.#claims.reset();
    this.start().catch((error: unknown) =>
      this.#context.logger.error({ err: error }, 'failed to create the StorageClass of simulated volumes'),
    );
  }

  async close(): Promise<void> {
    this.#volumes.close();
    this.#claims.close();
    await this.#queue.close();
  }

  /** So that claims without a class, as those of StatefulSets, get a volume. */
  async #ensureDefaultClass(): Promise<void> {
    const { client, dialect } = this.#context;
    const classes = this.#classes.list().flatMap((object) => object.tryDecodeLazily() ?? []);
    const hasDefault = classes.some((candidate) => isDefaultStorageClass(candidate, dialect));
    if (hasDefault || this.#storageClass(simulatedClassName)) return;
    try {
      await client.create(storageClassManifest(dialect), { manager });
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
    }
  }

  #storageClass(name: string): StorageClass | undefined {
    return name === '' ? undefined : this.#classes.getByKey(name)?.tryDecodeLazily();
  }

  #reconcile(key: string): Promise<void> {
    return ignoreNotFound(
      key.startsWith(claimPrefix)
        ? this.#reconcileClaim(key.slice(claimPrefix.length))
        : this.#reconcileVolume(key.slice(volumePrefix.length)),
    );
  }

  async #reconcileClaim(key: string): Promise<void> {
    const claim = this.#claims.getByKey(key)?.tryDecodeLazily();
    if (!claim || claim.metadata.deletionTimestamp !== undefined) return;
    if (claim.spec.volumeName) return this.#expand(key, claim);
    const { annotations } = this.#context.dialect;
    if (claim.metadata.annotations?.[annotations.storageProvisioner] !== this.#provisioner) return;
    const storageClass = this.#storageClass(storageClassOf(claim, annotations));
    if (storageClass?.provisioner !== this.#provisioner) return;
    const nodeName = claim.metadata.annotations[annotations.selectedNode];
    const waitsForConsumer = storageClass.volumeBindingMode === 'WaitForFirstConsumer';
    if (waitsForConsumer && nodeName === undefined) return;
    await this.#provision(key, claim, storageClass, nodeName);
  }

  async #provision(
    key: string,
    claim: PersistentVolumeClaim,
    storageClass: StorageClass,
    nodeName: string | undefined,
  ): Promise<void> {
    const volumeName = volumeNameFor(claim);
    if (this.#volumes.getByKey(volumeName)) return;
    const fail = (problem: string) => {
      const className = JSON.stringify(storageClass.metadata.name);
      const message = `failed to provision volume with StorageClass ${className}: ${problem}`;
      this.#record(claim, 'Warning', 'ProvisioningFailed', message);
    };
    if (claim.spec.selector) return fail('claim Selector is not supported');
    const node = nodeName === undefined ? undefined : this.#nodes.getByKey(nodeName)?.tryDecodeLazily();
    if (nodeName !== undefined && !node) {
      fail(`failed to get target node: node ${JSON.stringify(nodeName)} not found`);
      return this.#deselectNode(key, claim);
    }
    const { client, dialect } = this.#context;
    this.#record(
      claim,
      'Normal',
      'Provisioning',
      `External provisioner is provisioning volume for claim ${JSON.stringify(key)}`,
    );
    try {
      await client.create(volumeManifest(claim, storageClass, node, dialect), { manager });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'AlreadyExists') return;
      fail(error.message);
      throw error;
    }
    const message = `Successfully provisioned volume ${volumeName}`;
    this.#record(claim, 'Normal', 'ProvisioningSucceeded', message);
  }

  /** The scheduler chooses another node for the pod. */
  #deselectNode(key: string, { metadata: { uid } }: PersistentVolumeClaim): Promise<void> {
    const { selectedNode } = this.#context.dialect.annotations;
    const change = ({ metadata }: PersistentVolumeClaim) => {
      metadata.uid = uid!;
      const { [selectedNode]: _removed, ...annotations } = metadata.annotations ?? {};
      metadata.annotations = annotations;
    };
    return this.#context.client.mutate(this.#claims, key, change, { manager });
  }

  /** The volume of a claim that requests more than it has grows. Its file system needs no time to follow. */
  async #expand(key: string, claim: PersistentVolumeClaim): Promise<void> {
    const { metadata, spec, status } = claim;
    const requested = storageOf(spec.resources?.requests);
    const isLarger = (than: Parameters<typeof storageOf>[0]) =>
      compareQuantities(requested, storageOf(than)) > 0;
    if (status.phase !== 'Bound' || !isLarger(status.capacity)) return;
    const volume = this.#volumes.getByKey(spec.volumeName ?? '')?.tryDecodeLazily();
    if (!volume || !this.#isOwn(volume) || volume.spec.claimRef?.uid !== metadata.uid) return;
    const { client } = this.#context;
    const volumeName = volume.metadata.name!;
    if (isLarger(volume.spec.capacity)) {
      const message = `External resizer is resizing volume ${volumeName}`;
      this.#record(claim, 'Normal', 'Resizing', message);
      const grow = (latest: PersistentVolume) => {
        latest.spec.capacity = { ...latest.spec.capacity, storage: requested.text };
      };
      await client.mutate(this.#volumes, volumeName, grow, { manager });
    }
    const follow = (latest: PersistentVolumeClaim) => {
      latest.metadata.uid = metadata.uid!;
      latest.status.capacity = { ...latest.status.capacity, storage: requested.text };
    };
    await client.mutate(this.#claims, key, follow, { manager, subresource: 'status' });
    this.#record(claim, 'Normal', 'VolumeResizeSuccessful', 'Resize volume succeeded');
  }

  async #reconcileVolume(name: string): Promise<void> {
    const volume = this.#volumes.getByKey(name)?.tryDecodeLazily();
    if (!volume || !this.#isOwn(volume)) return;
    const { metadata, spec, status } = volume;
    const isDeletable = status.phase === 'Released' && spec.persistentVolumeReclaimPolicy === 'Delete';
    if (!isDeletable || metadata.deletionTimestamp !== undefined) return;
    await this.#context.client.deleteByKey(this.#volumes, name, { preconditions: { uid: metadata.uid! } });
  }

  #isOwn({ metadata }: PersistentVolume): boolean {
    const { provisionedBy } = this.#context.dialect.annotations;
    return metadata.annotations?.[provisionedBy] === this.#provisioner;
  }

  #record(
    { metadata }: PersistentVolumeClaim,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
    const kind = 'PersistentVolumeClaim';
    this.#context.events.record({
      involvedObject: { apiVersion: 'v1', kind, name, namespace, uid, resourceVersion },
      type,
      reason,
      message,
      component: this.#provisioner,
    });
  }
}
