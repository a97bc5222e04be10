// The objects that the plugins of volumes read: claims, volumes, storage classes and CSINodes.
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { claimRefKey, type VolumeAnnotations } from '../../apis/core/volume-binding.ts';
import type { CSINode } from '../../apis/storage/csinode.ts';
import type { StorageClass } from '../../apis/storage/storageclass.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Informers } from '../../client/informers.ts';
import type { Lister } from '../../client/lister.ts';
import { AvailableVolumes, volumeCandidate } from '../../controllers/persistentvolume/available-volumes.ts';
import type { Dialect } from '../../dialect/dialect.ts';

export interface VolumeObjects {
  readonly names: VolumeNames;
  /** The volumes that no claim refers to. */
  readonly available: AvailableVolumes;
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  /** The volumes that refer to a claim. */
  volumesReferringTo(claimKey: string): readonly PersistentVolume[];
  storageClass(name: string): StorageClass | undefined;
  csiNode(nodeName: string): CSINode | undefined;
  /** The node of the assumed pod for which a claim is provisioned, until the claim has the annotation `selected-node`. */
  assumedNode(claimKey: string): string | undefined;
  /** The volume that is being bound to a claim of an assumed pod. */
  assumedVolume(claimKey: string): string | undefined;
  /** Whether a volume is being bound to a claim of an assumed pod. */
  isAssumed(volumeName: string): boolean;
}

/** Names of the service's domain on claims, volumes, classes and nodes. */
export interface VolumeNames extends VolumeAnnotations {
  readonly bindCompleted: string;
  readonly selectedNode: string;
  readonly noProvisioner: string;
  /** Labels of nodes and volumes with zone and region, and their deprecated names. */
  readonly topologyLabels: readonly string[];
}

const core = { group: '', version: 'v1' } as const;
const storage = { group: 'storage', version: 'v1' } as const;
const claimIndex = 'claim';

/** Reads the latest state from the store, and knows the claims and volumes of assumed pods. */
export class StoredVolumeObjects implements VolumeObjects {
  readonly names: VolumeNames;
  readonly available = new AvailableVolumes();
  readonly #claims;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #classes;
  readonly #csiNodes: Informer<CSINode>;
  readonly #assumedNodes = new Map<string, string>();
  /** The volume by the key of its claim. */
  readonly #assumedVolumes = new Map<string, string>();

  /** `onChange` is called after each change of a volume or a CSINode. */
  constructor(informers: Informers, dialect: Dialect, onChange: () => void) {
    this.names = volumeNames(dialect);
    this.#claims = informers.lister<PersistentVolumeClaim>({ ...core, resource: 'persistentvolumeclaims' });
    this.#classes = informers.lister<StorageClass>({ ...storage, resource: 'storageclasses' });
    const onVolume = (object: InformerObject<PersistentVolume>) => {
      const volume = object.tryDecodeLazily();
      if (volume && !volume.spec.claimRef) this.available.set(volumeCandidate(volume, this.names));
      else this.available.delete(object.name);
      onChange();
    };
    this.#volumes = informers.informer<PersistentVolume>(
      { ...core, resource: 'persistentvolumes' },
      {
        onAdd: onVolume,
        onUpdate: (_old, volume) => onVolume(volume),
        onDelete: ({ name }) => {
          this.available.delete(name);
          onChange();
        },
        onReset: () => this.available.clear(),
      },
      {
        [claimIndex]: (volume) => {
          const { claimRef } = volume.tryDecodeLazily()?.spec ?? {};
          return claimRef ? [claimRefKey(claimRef)] : [];
        },
      },
    );
    this.#csiNodes = informers.informer<CSINode>(
      { ...storage, resource: 'csinodes' },
      { onAdd: onChange, onUpdate: onChange, onDelete: onChange },
    );
  }

  /** Resolves once all volumes are known. */
  start(): Promise<void> {
    this.#csiNodes.watch();
    this.#volumes.start();
    return this.#volumes.hasSynced;
  }

  /** The caller starts it again. */
  reset(): void {
    this.#assumedNodes.clear();
    this.#assumedVolumes.clear();
    this.#volumes.reset();
    this.#csiNodes.reset();
  }

  close(): void {
    this.#volumes.close();
    this.#csiNodes.close();
  }

  get lister(): Lister<PersistentVolume> {
    return this.#volumes;
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#claims.get(namespace, name)?.tryDecodeLazily();
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#volumes.get('', name)?.tryDecodeLazily();
  }

  volumesReferringTo(claimKey: string): PersistentVolume[] {
    return this.#volumes.byIndex(claimIndex, claimKey).flatMap((object) => object.tryDecodeLazily() ?? []);
  }

  storageClass(name: string): StorageClass | undefined {
    return this.#classes.get('', name)?.tryDecodeLazily();
  }

  csiNode(nodeName: string): CSINode | undefined {
    return this.#csiNodes.get('', nodeName)?.tryDecodeLazily();
  }

  assumedNode(claimKey: string): string | undefined {
    return this.#assumedNodes.get(claimKey);
  }

  assumedVolume(claimKey: string): string | undefined {
    return this.#assumedVolumes.get(claimKey);
  }

  isAssumed(volumeName: string): boolean {
    for (const name of this.#assumedVolumes.values()) if (name === volumeName) return true;
    return false;
  }

  assumeNode(claimKey: string, nodeName: string): void {
    this.#assumedNodes.set(claimKey, nodeName);
  }

  assumeVolume(claimKey: string, volumeName: string): void {
    this.#assumedVolumes.set(claimKey, volumeName);
  }

  forget(claimKey: string): void {
    this.#assumedNodes.delete(claimKey);
    this.#assumedVolumes.delete(claimKey);
  }
}

function volumeNames({ annotations, noProvisioner, labels, deprecatedNodeLabels }: Dialect): VolumeNames {
  const { bindCompleted, boundByController, selectedNode, storageClass } = annotations;
  const current = [labels.zone, labels.region];
  const deprecated = deprecatedNodeLabels.filter(({ replacement }) => current.includes(replacement));
  const topologyLabels = [...current, ...deprecated.map(({ label }) => label)];
  return { bindCompleted, boundByController, selectedNode, storageClass, noProvisioner, topologyLabels };
}
