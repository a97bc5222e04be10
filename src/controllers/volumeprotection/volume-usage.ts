// When a PersistentVolume or PersistentVolumeClaim is in use.
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ObjectMeta } from '../../kind/api-object.ts';
import { tryGlanceAt } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';
import { walk } from '../../store/walk.ts';
import type { Protected } from './volumeprotection-controller.ts';

/** A PersistentVolume is in use while it is bound to a claim. */
export const protectedVolumes = ({ finalizers }: Dialect): Protected => ({
  keeper: 'pvprotection',
  plural: 'persistentvolumes',
  finalizer: finalizers.volumeProtection,
  isUsed: (_api, volume) => (volume as PersistentVolume).status.phase === 'Bound',
});

/** A PersistentVolumeClaim is in use while a scheduled pod mounts it, also a terminated one. */
export const protectedClaims = ({ finalizers }: Dialect): Protected => ({
  keeper: 'pvcprotection',
  plural: 'persistentvolumeclaims',
  finalizer: finalizers.claimProtection,
  users: 'pods',
  isUsed: (api, { metadata }) => isMounted(api, metadata),
});

async function isMounted(api: Api, claim: ObjectMeta): Promise<boolean> {
  const pods = api.registry.kind('', 'v1', 'pods');
  let isFound = false;
  await walk(
    api.store,
    pods.range(claim.namespace!),
    (stored) => {
      const pod = isFound ? undefined : (tryGlanceAt(pods, stored) as Pod | undefined);
      isFound ||= pod !== undefined && mounts(pod, claim);
    },
    () => isFound,
  );
  return isFound;
}

function mounts({ metadata, spec }: Pod, claim: ObjectMeta): boolean {
  if (!spec.nodeName) return false;
  return (spec.volumes ?? []).some(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName === claim.name) return true;
    if (!ephemeral || `${metadata.name}-${name}` !== claim.name) return false;
    return claim.ownerReferences?.some(({ uid, controller }) => controller && uid === metadata.uid);
  });
}
