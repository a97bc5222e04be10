// The PersistentVolumeClaims that a pod uses.
import type { PodSpec } from './pod-spec.ts';

export interface PodClaim {
  readonly name: string;
  /** The claim of an ephemeral volume, which belongs to the pod and is named `<pod>-<volume>`. */
  readonly isOwned: boolean;
}

export function podClaims(podName: string, { volumes }: Pick<PodSpec, 'volumes'>): PodClaim[] {
  return (volumes ?? []).flatMap((volume) => {
    if (volume.ephemeral) return { name: `${podName}-${volume.name}`, isOwned: true };
    const { claimName } = volume.persistentVolumeClaim ?? {};
    return claimName ? { name: claimName, isOwned: false } : [];
  });
}
