// What the PersistentVolume controller does with a claim (upstream's syncClaim), as a function of the state of the cluster.
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import {
  hasSameVolumeMode,
  hasStorageClass,
  isVolumeOfClaim,
  storageClassOf,
  storageOf,
  supportsAccessModes,
} from '../../apis/core/volume-binding.ts';
import type { StorageClass } from '../../apis/storage/storageclass.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { compareQuantities } from '../../schema/quantity.ts';

/** In upstream's words. */
export interface BindingEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export type ClaimPlan =
  | { readonly action: 'bind'; readonly volume: PersistentVolume }
  /** The phase becomes Lost; the Event is recorded when it does. */
  | { readonly action: 'lose'; readonly event: BindingEvent }
  /** The phase becomes or stays Pending. */
  | { readonly action: 'wait'; readonly event?: BindingEvent }
  /** The claim keeps its status. */
  | { readonly action: 'report'; readonly event: BindingEvent }
  /** The default class is set, which the claim did not have when it was created. */
  | { readonly action: 'assignClass'; readonly className: string }
  /** The provisioner of the class is to create a volume. */
  | { readonly action: 'provision'; readonly provisioner: string };

/** The state of the cluster that a plan depends on. */
export interface ClaimSurroundings {
  readonly dialect: Pick<Dialect, 'annotations' | 'resourceDomain' | 'groupName'>;
  volume(name: string): PersistentVolume | undefined;
  /** The volume to bind a claim to that names none. For a claim that waits for its consumer, only one that is reserved for it. */
  bestVolume(claim: PersistentVolumeClaim, waitsForConsumer: boolean): PersistentVolume | undefined;
  storageClass(name: string): StorageClass | undefined;
  defaultClassName(): string | undefined;
  /** The names of the pods with the claim that have no node yet and have not finished. */
  unscheduledPods(claim: PersistentVolumeClaim): readonly string[];
}

export function planClaim(claim: PersistentVolumeClaim, cluster: ClaimSurroundings): ClaimPlan {
  const { bindCompleted } = cluster.dialect.annotations;
  if (claim.metadata.annotations?.[bindCompleted] !== undefined) return planBoundClaim(claim, cluster);
  return claim.spec.volumeName ? planReservedVolume(claim, cluster) : planUnboundClaim(claim, cluster);
}

const lost = (reason: string, message: string): ClaimPlan => ({
  action: 'lose',
  event: { type: 'Warning', reason, message },
});

function planBoundClaim(claim: PersistentVolumeClaim, cluster: ClaimSurroundings): ClaimPlan {
  const { metadata, spec } = claim;
  if (!spec.volumeName) {
    return lost(
      'ClaimLost',
      'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
    );
  }
  const bound = cluster.volume(spec.volumeName);
  if (!bound)
    return lost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  const { claimRef } = bound.spec;
  // A volume that has lost its reference is bound again.
  if (!claimRef || claimRef.uid === metadata.uid) return { action: 'bind', volume: bound };
  return lost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}

/** The claim names its volume. */
function planReservedVolume(claim: PersistentVolumeClaim, cluster: ClaimSurroundings): ClaimPlan {
  const requested = cluster.volume(claim.spec.volumeName ?? '');
  if (!requested) return { action: 'wait' };
  if (isVolumeOfClaim(requested, claim)) return { action: 'bind', volume: requested };
  const name = JSON.stringify(requested.metadata.name);
  if (requested.spec.claimRef) {
    const message = `volume ${name} already bound to a different claim.`;
    return { action: 'wait', event: { type: 'Warning', reason: 'FailedBinding', message } };
  }
  const mismatch = mismatchOf(requested, claim, cluster);
  if (mismatch === undefined) return { action: 'bind', volume: requested };
  const message = `Cannot bind to requested volume ${name}: ${mismatch}`;
  return { action: 'wait', event: { type: 'Warning', reason: 'VolumeMismatch', message } };
}

/** Why a volume does not satisfy the claim that names it; undefined if it does. */
function mismatchOf(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  { dialect: { annotations } }: ClaimSurroundings,
): string | undefined {
  const { metadata, spec } = volume;
  if (metadata.deletionTimestamp !== undefined)
    return `the volume is marked for deletion ${JSON.stringify(metadata.name)}`;
  if (compareQuantities(storageOf(spec.capacity), storageOf(claim.spec.resources?.requests)) < 0)
    return 'requested PV is too small';
  if (storageClassOf(volume, annotations) !== storageClassOf(claim, annotations))
    return 'storageClassName does not match';
  if ((spec.volumeAttributesClassName ?? '') !== (claim.spec.volumeAttributesClassName ?? ''))
    return 'volumeAttributesClassName does not match';
  if (!hasSameVolumeMode(volume, claim)) return 'incompatible volumeMode';
  if (!supportsAccessModes(spec.accessModes, claim.spec.accessModes)) return 'incompatible accessMode';
  return undefined;
}

function planUnboundClaim(claim: PersistentVolumeClaim, cluster: ClaimSurroundings): ClaimPlan {
  const { annotations } = cluster.dialect;
  const className = storageClassOf(claim, annotations);
  const storageClass = className === '' ? undefined : cluster.storageClass(className);
  const waitsForConsumer = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  const volume = cluster.bestVolume(claim, waitsForConsumer);
  if (volume) return { action: 'bind', volume };
  const defaultClassName = hasStorageClass(claim, annotations) ? undefined : cluster.defaultClassName();
  if (defaultClassName !== undefined) return { action: 'assignClass', className: defaultClassName };
  if (waitsForConsumer && claim.metadata.annotations?.[annotations.selectedNode] === undefined) {
    return { action: 'wait', event: waitingForConsumer(cluster.unscheduledPods(claim)) };
  }
  if (className === '') {
    const message = 'no persistent volumes available for this claim and no storage class is set';
    return { action: 'wait', event: { type: 'Normal', reason: 'FailedBinding', message } };
  }
  return planProvisioning(className, storageClass, cluster);
}

function waitingForConsumer(pods: readonly string[]): BindingEvent {
  if (pods.length === 0) {
    const message = 'waiting for first consumer to be created before binding';
    return { type: 'Normal', reason: 'WaitForFirstConsumer', message };
  }
  const message = `waiting for ${pods.length > 1 ? 'pods' : 'pod'} ${pods.join(',')} to be scheduled`;
  return { type: 'Normal', reason: 'WaitForPodScheduled', message };
}

function planProvisioning(
  className: string,
  storageClass: StorageClass | undefined,
  { dialect }: ClaimSurroundings,
): ClaimPlan {
  const fail = (message: string): ClaimPlan => ({
    action: 'report',
    event: { type: 'Warning', reason: 'ProvisioningFailed', message },
  });
  if (!storageClass) {
    return fail(`storageclass.${dialect.groupName('storage')} ${JSON.stringify(className)} not found`);
  }
  const { provisioner } = storageClass;
  // Provisioners of this domain would be part of the controller.
  if (provisioner.startsWith(`${dialect.resourceDomain}/`))
    return fail(`no volume plugin matched name: ${provisioner}`);
  return { action: 'provision', provisioner };
}

/** Sets the phase of a claim, and what it takes over from its volume. Returns whether the status was changed. */
export function setClaimStatus(
  { status }: PersistentVolumeClaim,
  phase: 'Pending' | 'Bound' | 'Lost',
  volume: PersistentVolume | undefined,
): boolean {
  const before = JSON.stringify(status);
  const isNewPhase = status.phase !== phase;
  status.phase = phase;
  if (!volume) {
    status.accessModes = undefined as never;
    status.capacity = undefined as never;
    delete status.currentVolumeAttributesClassName;
  } else {
    status.accessModes = [...(volume.spec.accessModes ?? [])];
    // The capacity of a bound claim follows its file system, not the volume.
    if (isNewPhase) {
      status.capacity = { ...volume.spec.capacity };
      const { volumeAttributesClassName } = volume.spec;
      if (volumeAttributesClassName !== undefined)
        status.currentVolumeAttributesClassName = volumeAttributesClassName;
    }
  }
  return JSON.stringify(status) !== before;
}
