// The relation of PersistentVolumes and PersistentVolumeClaims: their classes, the reference of a volume to its claim, and
// whether a volume satisfies a claim.
import type { Quantity } from '../../schema/quantity.ts';
import type { ObjectReference } from './object-reference.ts';
import type { PersistentVolume } from './persistentvolume.ts';
import type { PersistentVolumeClaim } from './persistentvolumeclaim.ts';
import { mustParseQuantity, type ResourceList } from './resource-list.ts';

/** Names in the service's domain on volumes and claims. */
export interface VolumeAnnotations {
  /** Deprecated: the class of a volume or claim. */
  readonly storageClass: string;
  readonly boundByController: string;
}

type Classified = Pick<PersistentVolume | PersistentVolumeClaim, 'metadata'> & {
  readonly spec: { readonly storageClassName?: string | undefined };
};

/** The StorageClass of a volume or claim; '' for none. */
export const storageClassOf = ({ metadata, spec }: Classified, { storageClass }: VolumeAnnotations): string =>
  metadata.annotations?.[storageClass] ?? spec.storageClassName ?? '';

/** Whether a claim names a class, if only the empty one: it does not get the default class. */
export const hasStorageClass = (
  { metadata, spec }: PersistentVolumeClaim,
  { storageClass }: VolumeAnnotations,
): boolean => metadata.annotations?.[storageClass] !== undefined || spec.storageClassName !== undefined;

export const storageOf = (resources: ResourceList | undefined): Quantity =>
  mustParseQuantity(resources?.storage ?? '0');

/** `namespace/name` of the claim that a volume refers to. */
export const claimRefKey = ({ namespace, name }: ObjectReference): string => `${namespace}/${name}`;

/** Whether a volume is bound to a claim, or reserved for it: then its reference has no UID. */
export function isVolumeOfClaim({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { claimRef } = spec;
  if (!claimRef || claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace) return false;
  return !claimRef.uid || claimRef.uid === metadata.uid;
}

const modeOf = ({ spec }: PersistentVolume | PersistentVolumeClaim) => spec.volumeMode ?? 'Filesystem';
export const hasSameVolumeMode = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  modeOf(volume) === modeOf(claim);

export const supportsAccessModes = (
  supported: readonly string[] | undefined,
  requested: readonly string[] | undefined,
): boolean => (requested ?? []).every((mode) => supported?.includes(mode));

/** Lets a volume refer to a claim. Returns whether it was changed. */
export function setClaimRef(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  { boundByController }: VolumeAnnotations,
): boolean {
  const { metadata, spec } = volume;
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  const isReserved = isVolumeOfClaim(volume, claim);
  if (isReserved && spec.claimRef?.uid === uid) return false;
  if (!isReserved) metadata.annotations = { ...metadata.annotations, [boundByController]: 'yes' };
  spec.claimRef = {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    name: name!,
    namespace: namespace!,
    uid: uid!,
    resourceVersion: resourceVersion!,
  } as ObjectReference;
  return true;
}
