// The state of volumes, claims, classes and pods that the PersistentVolume controller decides by: informers with indexes, and the
// volumes that are being bound.
import { newestFirst } from '../../admission/class-cache.ts';
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { podClaims } from '../../apis/core/pod-claims.ts';
import {
  claimRefKey,
  isVolumeOfClaim,
  storageClassOf,
  supportsAccessModes,
} from '../../apis/core/volume-binding.ts';
import { isDefaultStorageClass } from '../../apis/storage/default-class.ts';
import type { StorageClass } from '../../apis/storage/storageclass.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import {
  AvailableVolumes,
  fitsRequest,
  modesKey,
  volumeCandidate,
  volumeRequest,
} from './available-volumes.ts';
import type { ClaimSurroundings } from './claim-plan.ts';

const core = { group: '', version: 'v1' } as const;
const storage = { group: 'storage', version: 'v1' } as const;
/** The index of claims whose binding is not complete, by class. */
const unboundIndex = 'unbound';
/** The index of claims by the volume that they name. */
const volumeIndex = 'volume';
/** The index of volumes, and of pods, by the claim that they refer to. */
const claimIndex = 'claim';
/** The index of volumes by phase, of those that wait to be reclaimed. */
const reclaimIndex = 'reclaim';

export interface BindingChanges {
  onClaim(claim: InformerObject<PersistentVolumeClaim>): void;
  onClaimGone(claim: InformerObject<PersistentVolumeClaim>): void;
  onVolume(volume: InformerObject<PersistentVolume>): void;
  onVolumeGone(volume: InformerObject<PersistentVolume>): void;
  onStorageClass(): void;
  onReset(): void;
}

export class BindingState implements ClaimSurroundings {
  readonly dialect: Dialect;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly #classes: Informer<StorageClass>;
  readonly #pods: Informer<Pod>;
  readonly #available = new AvailableVolumes();
  /** Volumes that are being bound, with the key of the claim. Other claims do not choose them. */
  readonly #binding = new Map<string, string>();

  constructor({ informers, dialect }: ControllerContext, changes: BindingChanges) {
    this.dialect = dialect;
    this.claims = informers.informer<PersistentVolumeClaim>(
      { ...core, resource: 'persistentvolumeclaims' },
      {
        onAdd: (claim) => changes.onClaim(claim),
        onUpdate: (_old, claim) => changes.onClaim(claim),
        onDelete: (claim) => changes.onClaimGone(claim),
        onReset: () => changes.onReset(),
      },
      {
        [unboundIndex]: (claim) => this.#unboundClasses(claim),
        [volumeIndex]: (claim) => presentValues(claim.tryDecodeLazily()?.spec.volumeName),
      },
    );
    this.volumes = informers.informer<PersistentVolume>(
      { ...core, resource: 'persistentvolumes' },
      {
        onAdd: (volume) => this.#onVolume(volume, changes),
        onUpdate: (_old, volume) => this.#onVolume(volume, changes),
        onDelete: (volume) => {
          this.#available.delete(volume.name);
          changes.onVolumeGone(volume);
        },
        onReset: () => this.#available.clear(),
      },
      {
        [claimIndex]: (volume) => presentValues(claimKeyOf(volume)),
        [reclaimIndex]: (volume) => {
          const { phase } = volume.tryDecodeLazily()?.status ?? {};
          return phase === 'Released' || phase === 'Failed' ? [phase] : [];
        },
      },
    );
    const onStorageClass = () => changes.onStorageClass();
    this.#classes = informers.informer<StorageClass>(
      { ...storage, resource: 'storageclasses' },
      { onAdd: onStorageClass, onUpdate: onStorageClass },
    );
    this.#pods = informers.informer<Pod>({ ...core, resource: 'pods' }, {}, { [claimIndex]: claimsOfPod });
  }

  /** Resolves once all indexes are complete: before, a volume that is reserved for a claim may be missing. */
  get hasSynced(): Promise<unknown> {
    return Promise.all(this.#all().map(({ hasSynced }) => hasSynced));
  }

  start(): void {
    for (const informer of this.#all()) informer.start();
  }

  reset(): void {
    for (const informer of this.#all()) informer.reset();
  }

  close(): void {
    for (const informer of this.#all()) informer.close();
  }

  volume(name: string): PersistentVolume | undefined {
    return this.volumes.getByKey(name)?.tryDecodeLazily();
  }

  claim(key: string): PersistentVolumeClaim | undefined {
    return this.claims.getByKey(key)?.tryDecodeLazily();
  }

  storageClass(name: string): StorageClass | undefined {
    return this.#classes.getByKey(name)?.tryDecodeLazily();
  }

  defaultClassName(): string | undefined {
    const classes = this.#classes.list().flatMap((object) => object.tryDecodeLazily() ?? []);
    return classes.filter((candidate) => isDefaultStorageClass(candidate, this.dialect)).sort(newestFirst)[0]
      ?.metadata.name;
  }

  unscheduledPods({ metadata }: PersistentVolumeClaim): string[] {
    return this.#pods
      .byIndex(claimIndex, `${metadata.namespace}/${metadata.name}`)
      .filter((pod) => !pod.field('spec.nodeName') && !isFinished(pod))
      .map(({ name }) => name);
  }

  /** Of the volumes with the fewest access modes, one that is reserved for the claim, else the smallest. */
  bestVolume(claim: PersistentVolumeClaim, waitsForConsumer: boolean): PersistentVolume | undefined {
    const { annotations } = this.dialect;
    const key = `${claim.metadata.namespace}/${claim.metadata.name}`;
    const request = volumeRequest(claim, annotations);
    const reserved = this.volumes
      .byIndex(claimIndex, key)
      .flatMap((object) => object.tryDecodeLazily() ?? [])
      .filter((volume) => volume.metadata.deletionTimestamp === undefined && isVolumeOfClaim(volume, claim))
      .map((volume) => ({ volume, candidate: volumeCandidate(volume, annotations) }))
      .filter(({ candidate }) => fitsRequest(candidate, request));
    const sets = new Map(
      [
        ...reserved.map(({ candidate }) => candidate.accessModes),
        ...this.#available.accessModes(request.className),
      ]
        .filter((accessModes) => supportsAccessModes(accessModes, request.accessModes))
        .sort((one, other) => one.length - other.length)
        .map((accessModes) => [modesKey({ accessModes }), accessModes]),
    );
    const isExcluded = (name: string) => (this.#binding.get(name) ?? key) !== key;
    for (const [set, accessModes] of sets) {
      const own = reserved.find(({ candidate }) => modesKey(candidate) === set);
      if (own) return own.volume;
      const smallest = waitsForConsumer
        ? undefined
        : this.#available.smallest(request, accessModes, isExcluded);
      if (smallest) return this.volume(smallest.name);
    }
    return undefined;
  }

  /** Runs the binding of a volume. Other claims do not choose the volume meanwhile. */
  async whileBinding(volumeName: string, claimKey: string, bind: () => Promise<void>): Promise<void> {
    this.#binding.set(volumeName, claimKey);
    try {
      await bind();
    } finally {
      this.#binding.delete(volumeName);
    }
  }

  isBinding(volumeName: string): boolean {
    return this.#binding.has(volumeName);
  }

  /** The keys of the claims of a class whose binding is not complete. */
  unboundClaims(className: string): Iterable<string> {
    return this.claims.keysByIndex(unboundIndex, className);
  }

  allUnboundClaims(): Iterable<string> {
    return this.claims.indexedKeys(unboundIndex);
  }

  /** The names of the volumes that wait to be reclaimed. */
  volumesToReclaim(): Iterable<string> {
    return this.volumes.indexedKeys(reclaimIndex);
  }

  /** The keys of the claims that name a volume. */
  claimsNaming(volumeName: string): Iterable<string> {
    return this.claims.keysByIndex(volumeIndex, volumeName);
  }

  /** The names of the volumes that refer to a claim. */
  volumesReferringTo(claimKey: string): Iterable<string> {
    return this.volumes.keysByIndex(claimIndex, claimKey);
  }

  #all(): Pick<Informer<unknown>, 'start' | 'reset' | 'close' | 'hasSynced'>[] {
    return [this.#pods, this.#classes, this.volumes, this.claims];
  }

  #onVolume(object: InformerObject<PersistentVolume>, changes: BindingChanges): void {
    const volume = object.tryDecodeLazily();
    if (volume && !volume.spec.claimRef)
      this.#available.set(volumeCandidate(volume, this.dialect.annotations));
    else this.#available.delete(object.name);
    changes.onVolume(object);
  }

  #unboundClasses(object: InformerObject<PersistentVolumeClaim>): string[] {
    const claim = object.tryDecodeLazily();
    const { annotations } = this.dialect;
    if (!claim || claim.metadata.annotations?.[annotations.bindCompleted] !== undefined) return [];
    return [storageClassOf(claim, annotations)];
  }
}

const presentValues = (value: string | undefined): string[] => (value ? [value] : []);

/** The key of the claim that a volume refers to. */
export function claimKeyOf(object: InformerObject<PersistentVolume>): string | undefined {
  const { claimRef } = object.tryDecodeLazily()?.spec ?? {};
  return claimRef && claimRefKey(claimRef);
}

/** Most pods have no claim, and need not be parsed. */
function claimsOfPod(object: InformerObject<Pod>): string[] {
  if (!object.json.includes('"persistentVolumeClaim":') && !object.json.includes('"ephemeral":')) return [];
  const pod = object.tryDecodeLazily();
  if (!pod) return [];
  return podClaims(object.name, pod.spec).map(({ name }) => `${object.namespace}/${name}`);
}

const isFinished = (pod: InformerObject<Pod>) =>
  ['Succeeded', 'Failed'].includes(pod.field('status.phase') ?? '');
