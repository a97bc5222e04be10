// Volume protection: when a PersistentVolume or PersistentVolumeClaim is in use.
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { Lister } from '../../client/lister.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { ProtectedResource } from './volumeprotection-controller.ts';

/** A PersistentVolume is in use while it is bound to a claim. */
export const protectedVolumes = ({ finalizers }: Dialect): ProtectedResource => ({
  queueName: 'pvprotection',
  resource: 'persistentvolumes',
  finalizer: finalizers.volumeProtection,
  isUsedByPods: false,
  isUsed: (volume) => (volume as PersistentVolume).status.phase === 'Bound',
});

/** A PersistentVolumeClaim is in use while a scheduled pod mounts it, even one that has terminated. */
export const protectedClaims = ({ finalizers }: Dialect): ProtectedResource => ({
  queueName: 'pvcprotection',
  resource: 'persistentvolumeclaims',
  finalizer: finalizers.claimProtection,
  isUsedByPods: true,
  isUsed: ({ metadata }, pods) => isMounted(pods, metadata),
});

async function isMounted(pods: Lister<Pod>, claim: ObjectMetadata): Promise<boolean> {
  let isFound = false;
  await pods.walk(
    claim.namespace!,
    (object) => {
      if (isFound) return;
      const pod = object.tryDecodeLazily();
      isFound = pod !== undefined && mounts(pod, claim);
    },
    () => isFound,
  );
  return isFound;
}

/** Whether a pod mounts a claim, by name or as the claim of an ephemeral volume, which is named `<pod>-<volume>`. */
function mounts({ metadata, spec }: Pod, claim: ObjectMetadata): boolean {
  if (!spec.nodeName) return false;
  return (spec.volumes ?? []).some(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName === claim.name) return true;
    if (!ephemeral || `${metadata.name}-${name}` !== claim.name) return false;
    return claim.ownerReferences?.some(({ uid, controller }) => controller && uid === metadata.uid);
  });
}
