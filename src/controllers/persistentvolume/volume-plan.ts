// What the PersistentVolume controller does with a volume (upstream's syncVolume and reclaimVolume).
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { hasSameVolumeMode } from '../../apis/core/volume-binding.ts';
import type { Dialect } from '../../dialect/dialect.ts';

export type VolumePlan =
  | { readonly action: 'setPhase'; readonly phase: 'Available' | 'Bound' }
  /** The claim is gone: the volume becomes Released, and its reclaim policy applies. */
  | { readonly action: 'release' }
  /** The reconciliation of the claim completes the binding. */
  | { readonly action: 'leaveToClaim' }
  | { readonly action: 'reportModeMismatch' }
  /** The claim is bound to another volume. */
  | { readonly action: 'unbind' };

/** `named` is the claim with the name in the volume's reference. */
export function planVolume(
  volume: PersistentVolume,
  named: PersistentVolumeClaim | undefined,
  { provisionedBy }: Pick<Dialect['annotations'], 'provisionedBy'>,
): VolumePlan {
  const { metadata, spec } = volume;
  const { claimRef } = spec;
  // A reference without UID reserves the volume.
  if (!claimRef?.uid) return { action: 'setPhase', phase: 'Available' };
  const claim = named?.metadata.uid === claimRef.uid ? named : undefined;
  if (!claim) return { action: 'release' };
  if (claim.spec.volumeName === metadata.name) return { action: 'setPhase', phase: 'Bound' };
  if (!claim.spec.volumeName) {
    return { action: hasSameVolumeMode(volume, claim) ? 'leaveToClaim' : 'reportModeMismatch' };
  }
  const isProvisioned = metadata.annotations?.[provisionedBy] !== undefined;
  const isDeleted = isProvisioned && spec.persistentVolumeReclaimPolicy === 'Delete';
  return { action: isDeleted ? 'release' : 'unbind' };
}

export type ReclaimPlan =
  /** The volume stays Released, for an administrator or the provisioner. */
  | { readonly action: 'keep' }
  | { readonly action: 'delete' }
  /** The phase becomes Failed. */
  | { readonly action: 'fail'; readonly reason: string; readonly message: string };

/** The only paths that upstream's deleter of hostPath volumes accepts. */
const deletableHostPath = /^\/tmp\/.+$/;

export function planReclaim(
  { metadata, spec }: PersistentVolume,
  { annotations, resourceDomain }: Pick<Dialect, 'annotations' | 'resourceDomain'>,
): ReclaimPlan {
  switch (spec.persistentVolumeReclaimPolicy) {
    case 'Retain':
      return { action: 'keep' };
    case 'Recycle':
      return {
        action: 'fail',
        reason: 'VolumeFailedRecycle',
        message: 'No recycler plugin found for the volume!',
      };
    case 'Delete':
      break;
    default:
      return {
        action: 'fail',
        reason: 'VolumeUnknownReclaimPolicy',
        message: 'Volume has unrecognized PersistentVolumeReclaimPolicy',
      };
  }
  const provisioner = metadata.annotations?.[annotations.provisionedBy];
  if (provisioner?.startsWith(`${resourceDomain}/`))
    return failDeletion(`no volume plugin matched name: ${provisioner}`);
  // The provisioner or the CSI driver deletes the volume.
  if (provisioner || spec.csi) return { action: 'keep' };
  if (!spec.hostPath) {
    const name = JSON.stringify(metadata.name);
    // Upstream's controller has a plugin for NFS, which deletes nothing, but none for other kinds of volumes.
    const problem = spec.nfs ? 'no deletable volume plugin matched' : 'no volume plugin matched';
    return failDeletion(`error getting deleter volume plugin for volume ${name}: ${problem}`);
  }
  const { path } = spec.hostPath;
  if (deletableHostPath.test(path)) return { action: 'delete' };
  return failDeletion(`host_path deleter only supports /tmp/.+ but received provided ${path}`);
}

const failDeletion = (message: string): ReclaimPlan => ({
  action: 'fail',
  reason: 'VolumeFailedDelete',
  message,
});
