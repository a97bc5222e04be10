// The ResourceClaims that a pod uses: those that it names, and those that are generated from templates.
import type { Pod } from './pod.ts';

export interface PodResourceClaim {
  /** The entry in the pod's `resourceClaims`. */
  readonly entry: string;
  /** The template of a generated claim; undefined if the pod names the claim. */
  readonly templateName: string | undefined;
  /** Undefined if the claim is not generated yet, or if `isNeeded` is false. */
  readonly claimName: string | undefined;
  /** False if the status of the pod says that the entry needs no claim. */
  readonly isNeeded: boolean;
}

type PodClaims = Pick<Pod, 'spec'> & Partial<Pick<Pod, 'status'>>;

export const podResourceClaims = ({ spec, status }: PodClaims): PodResourceClaim[] =>
  (spec.resourceClaims ?? []).map(({ name: entry, resourceClaimName, resourceClaimTemplateName }) => {
    if (resourceClaimName !== undefined) {
      return { entry, templateName: undefined, claimName: resourceClaimName, isNeeded: true };
    }
    const generated = (status?.resourceClaimStatuses ?? []).find(({ name }) => name === entry);
    const claimName = generated?.resourceClaimName;
    return {
      entry,
      templateName: resourceClaimTemplateName,
      claimName,
      isNeeded: !generated || claimName !== undefined,
    };
  });
