// Volume protection: when a PersistentVolume or PersistentVolumeClaim is in use.
import type { Pod } from '../../apis/core/pod.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Lister } from '../../client/lister.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import { parseOutline } from '../../codec/json/parse-outline.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { StoredMetadata } from '../../kind/storage/stored-metadata.ts';
import type { ProtectedResource } from './volumeprotection-controller.ts';

/** A PersistentVolume is in use while it is bound to a claim. */
export const protectedVolumes = ({ finalizers }: Dialect): ProtectedResource => ({
  queueName: 'pvprotection',
  resource: 'persistentvolumes',
  finalizer: finalizers.volumeProtection,
  isUsedByPods: false,
  // The outline has the short fields of the status: the volume may be large.
  isUsed: ({ json }) => phaseIn(parseOutline(json.toString(), 'metadata')) === 'Bound',
});

/** A PersistentVolumeClaim is in use while a scheduled pod mounts it, even one that has terminated. */
export const protectedClaims = ({ finalizers }: Dialect): ProtectedResource => ({
  queueName: 'pvcprotection',
  resource: 'persistentvolumeclaims',
  finalizer: finalizers.claimProtection,
  isUsedByPods: true,
  isUsed: (claim, pods) => isMounted(pods, claim),
});

const phaseIn = ({ status }: JsonObject) => (status as JsonObject | undefined)?.phase;

async function isMounted(pods: Lister<Pod>, object: InformerObject<ApiObject>): Promise<boolean> {
  const claim = object.metadata()!;
  let isFound = false;
  await pods.walk(
    object.namespace,
    (candidate) => {
      if (isFound) return;
      const pod = candidate.tryDecodeLazily();
      isFound = pod !== undefined && mounts(pod, claim);
    },
    () => isFound,
  );
  return isFound;
}

/** Whether a pod mounts a claim, by name or as the claim of an ephemeral volume, which is named `<pod>-<volume>`. */
function mounts({ metadata, spec }: Pod, claim: StoredMetadata): boolean {
  if (!spec.nodeName) return false;
  return (spec.volumes ?? []).some(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName === claim.name) return true;
    if (!ephemeral || `${metadata.name}-${name}` !== claim.name) return false;
    return claim.ownerReferences?.some(({ uid, controller }) => controller && uid === metadata.uid);
  });
}
