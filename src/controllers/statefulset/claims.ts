// statefulset-controller: the PersistentVolumeClaims of pods, and their owners by persistentVolumeClaimRetentionPolicy.
import type { StatefulSet } from '../../apis/apps/statefulset.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import type { Manifest } from '../../client/client.ts';
import type { OwnerReference } from '../../kind/api-object.ts';

export const claimName = (setName: string, { metadata }: PersistentVolumeClaim, ordinal: number) =>
  `${metadata.name}-${setName}-${ordinal}`;

/** The claims of an ordinal, from the templates. */
export function claimsOf({ metadata, spec }: StatefulSet, ordinal: number): Manifest[] {
  const { name = '', namespace = '' } = metadata;
  return (spec.volumeClaimTemplates ?? []).map((template) => {
    const { annotations, finalizers } = template.metadata;
    const labels = { ...template.metadata.labels, ...spec.selector?.matchLabels };
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: claimName(name, template, ordinal),
        namespace,
        labels,
        ...(annotations && { annotations }),
        ...(finalizers && { finalizers }),
      },
      spec: template.spec,
    };
  });
}

/** The objects that may own a claim. */
export interface ClaimOwners {
  readonly set: OwnerReference;
  readonly pod: OwnerReference;
}

export type RetentionPolicy = NonNullable<StatefulSet['spec']['persistentVolumeClaimRetentionPolicy']>;

/**
 * The owner references that a claim is to have; undefined if they are right, or if they show that another controller or an
 * earlier StatefulSet or pod of the same name owns it.
 */
export function claimOwnerReferences(
  current: readonly OwnerReference[],
  owners: ClaimOwners,
  policy: Pick<RetentionPolicy, 'whenDeleted' | 'whenScaled'>,
  isScaledDown: boolean,
): OwnerReference[] | undefined {
  const { set, pod } = owners;
  if (isStale(current, set) || isStale(current, pod)) return undefined;
  const others = current.filter(
    (reference) => !isSameObject(reference, set) && !isSameObject(reference, pod),
  );
  const owner = ownerByPolicy(owners, policy, isScaledDown);
  const isRetained = policy.whenDeleted !== 'Delete' && policy.whenScaled !== 'Delete';
  const hasOtherController = !isRetained && others.some(({ controller }) => controller);
  const expected = owner && !hasOtherController ? [owner] : [];
  const own = current.filter((reference) => !others.includes(reference));
  const isRight =
    own.length === expected.length && own.every(({ uid, controller }) => uid === owner?.uid && controller);
  return isRight ? undefined : [...others, ...expected];
}

/** A claim of a removed pod is deleted with the pod; other claims are deleted with the StatefulSet. */
function ownerByPolicy(
  { set, pod }: ClaimOwners,
  { whenDeleted, whenScaled }: Pick<RetentionPolicy, 'whenDeleted' | 'whenScaled'>,
  isScaledDown: boolean,
): OwnerReference | undefined {
  if (whenScaled === 'Delete' && isScaledDown) return pod;
  return whenDeleted === 'Delete' ? set : undefined;
}

/** Whether a reference names the object, but has the uid of an earlier one. */
export const isStale = (references: readonly OwnerReference[], object: OwnerReference) =>
  references.some((reference) => isSameObject(reference, object) && reference.uid !== object.uid);

const isSameObject = (a: OwnerReference, b: OwnerReference) =>
  a.apiVersion === b.apiVersion && a.kind === b.kind && a.name === b.name;
