// The objects that VolumeBinding reads: claims, volumes and storage classes.
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import type { StorageClass } from '../../apis/storage/storageclass.ts';
import type { Informers } from '../../client/informers.ts';
import type { Dialect } from '../../dialect/dialect.ts';

export interface VolumeObjects {
  readonly names: VolumeNames;
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  storageClass(name: string): StorageClass | undefined;
  /** The node of the assumed pod that uses a claim, until the claim has the annotation `selected-node`. */
  assumedNode(claimKey: string): string | undefined;
}

/** Names of the service's domain on claims and classes. */
export interface VolumeNames {
  readonly bindCompleted: string;
  readonly selectedNode: string;
  /** The deprecated annotation with the class of a claim. */
  readonly storageClass: string;
  readonly noProvisioner: string;
}

/** Reads the latest state from the store, and knows the claims of assumed pods. */
export class StoredVolumeObjects implements VolumeObjects {
  readonly names: VolumeNames;
  readonly #claims;
  readonly #volumes;
  readonly #classes;
  readonly #assumed = new Map<string, string>();

  constructor(informers: Informers, { annotations, noProvisioner }: Dialect) {
    const { bindCompleted, selectedNode, storageClass } = annotations;
    this.names = { bindCompleted, selectedNode, storageClass, noProvisioner };
    const core = { group: '', version: 'v1' } as const;
    this.#claims = informers.lister<PersistentVolumeClaim>({ ...core, resource: 'persistentvolumeclaims' });
    this.#volumes = informers.lister<PersistentVolume>({ ...core, resource: 'persistentvolumes' });
    this.#classes = informers.lister<StorageClass>({
      group: 'storage',
      version: 'v1',
      resource: 'storageclasses',
    });
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#claims.get(namespace, name)?.tryDecodeLazily();
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#volumes.get('', name)?.tryDecodeLazily();
  }

  storageClass(name: string): StorageClass | undefined {
    return this.#classes.get('', name)?.tryDecodeLazily();
  }

  assumedNode(claimKey: string): string | undefined {
    return this.#assumed.get(claimKey);
  }

  assume(claimKey: string, nodeName: string): void {
    this.#assumed.set(claimKey, nodeName);
  }

  forget(claimKey: string): void {
    this.#assumed.delete(claimKey);
  }

  clear(): void {
    this.#assumed.clear();
  }
}
