// PersistentVolumeClaim: validation of updates of the spec, most of which is immutable, and of the status.
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.

import {
  type FieldError,
  FormattedValue,
  forbidden,
  invalid,
  notSupported,
} from '../../errors/field-error.ts';
import { goCmpDiff } from '../../errors/go-cmp-diff.ts';
import type { KindContext } from '../../kind/context.ts';
import { goStructValue } from '../../kind/meta/go-struct.ts';
import {
  validateBuiltInMetadataChange,
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import { coreLayout } from './go-layout.ts';
import { type PersistentVolumeClaim, PersistentVolumeClaimSpec } from './persistentvolumeclaim.ts';
import { validateClaimSpec, validateNonNegativeQuantity } from './persistentvolumeclaim-validation.ts';
import { isNativeResource, mustParseQuantity } from './resource-list.ts';

/** kube-apiserver runs create validation again on update, so each error appears twice. */
export function validateClaimUpdate(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  context: KindContext,
): FieldError[] {
  const { metadata, spec } = claim;
  const validateAsCreate = () => [
    ...validateMetadata(metadata, { namespaced: true, nameRule: nameIsSubdomain }),
    ...validateFinalizersQualified(metadata, context.dialect),
    ...validateClaimSpec(spec, 'spec', context.features),
  ];
  return [
    ...validateAsCreate(),
    ...validateBuiltInMetadataChange(metadata, old.metadata, context.dialect),
    ...validateAsCreate(),
    ...validateSpecChange(claim, old, context),
    ...validateSizeChange(spec, old),
    // kube-apiserver omits `spec` from this path.
    ...(spec.volumeMode === old.spec.volumeMode
      ? []
      : [invalid('volumeMode', spec.volumeMode, 'field is immutable')]),
    ...validateAttributesClassChange(spec, old.spec),
  ];
}

const immutableSpecMessage =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Compares copies of both specs, in which the changes that are allowed have been undone. */
function validateSpecChange(
  { metadata, spec, status }: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { dialect }: KindContext,
): FieldError[] {
  const oldSpec = { ...old.spec };
  const newSpec = { ...spec };
  // volumeName may be set once.
  if (!oldSpec.volumeName) oldSpec.volumeName = newSpec.volumeName ?? '';
  const annotation = dialect.annotations.storageClass;
  const errors = undoStorageClassChange(newSpec, metadata, old, annotation);
  if (status.phase === 'Bound') undoChangesOfBoundClaim(newSpec, oldSpec);
  if (PersistentVolumeClaimSpec.write(newSpec) !== PersistentVolumeClaimSpec.write(oldSpec)) {
    const toGoStruct = (claimSpec: PersistentVolumeClaimSpec) =>
      goStructValue(PersistentVolumeClaimSpec, claimSpec, coreLayout);
    errors.push(
      forbidden('spec', `${immutableSpecMessage}\n${goCmpDiff(toGoStruct(oldSpec), toGoStruct(newSpec))}`),
    );
  }
  return errors;
}

/**
 * storageClassName may be set if the claim has no class, or if it repeats that of the deprecated annotation. Returns
 * an error if the annotation changes in any other way.
 */
function undoStorageClassChange(
  newSpec: PersistentVolumeClaimSpec,
  { annotations }: PersistentVolumeClaim['metadata'],
  old: PersistentVolumeClaim,
  annotation: string,
): FieldError[] {
  const annotatedClass = annotations?.[annotation];
  const oldAnnotatedClass = old.metadata.annotations?.[annotation];
  const hadNoField = old.spec.storageClassName === undefined;
  const movesToField =
    oldAnnotatedClass !== undefined && hadNoField && newSpec.storageClassName === oldAnnotatedClass;
  if (movesToField || (oldAnnotatedClass === undefined && hadNoField)) delete newSpec.storageClassName;
  if (movesToField || (annotatedClass ?? '') === (oldAnnotatedClass ?? '')) return [];
  return [invalid(`metadata.annotations.${annotation}`, annotatedClass ?? '', 'field is immutable')];
}

/** The requested size and the volumeAttributesClassName of a bound claim may change. */
function undoChangesOfBoundClaim(
  newSpec: PersistentVolumeClaimSpec,
  oldSpec: PersistentVolumeClaimSpec,
): void {
  const oldSize = oldSpec.resources.requests?.storage;
  if (newSpec.resources.requests && oldSize !== undefined) {
    newSpec.resources = {
      ...newSpec.resources,
      requests: { ...newSpec.resources.requests, storage: oldSize },
    };
  }
  const { volumeAttributesClassName } = oldSpec;
  if (volumeAttributesClassName === undefined) delete newSpec.volumeAttributesClassName;
  else if (newSpec.volumeAttributesClassName !== undefined) {
    newSpec.volumeAttributesClassName = volumeAttributesClassName;
  }
}

/** A pending expansion may be reduced, but not below status.capacity (RecoverVolumeExpansionFailure). */
function validateSizeChange(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaim): FieldError[] {
  const size = mustParseQuantity(spec.resources.requests?.storage ?? '0');
  const oldSize = mustParseQuantity(old.spec.resources.requests?.storage ?? '0');
  const capacity = mustParseQuantity(old.status.capacity?.storage ?? '0');
  if (compareQuantities(size, oldSize) >= 0 || compareQuantities(size, capacity) > 0) return [];
  return [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')];
}

function validateAttributesClassChange(
  { volumeAttributesClassName: name }: PersistentVolumeClaimSpec,
  { volumeAttributesClassName: oldName }: PersistentVolumeClaimSpec,
): FieldError[] {
  if (oldName === undefined || name === oldName || (name !== undefined && name !== '')) return [];
  const newValue = name === undefined ? 'nil' : 'an empty string';
  return [
    forbidden('spec.volumeAttributesClassName', `update from non-nil value to ${newValue} is forbidden`),
  ];
}

export function validateClaimStatusUpdate(
  { metadata, status }: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { dialect }: KindContext,
): FieldError[] {
  const { capacity = {}, allocatedResources = {}, allocatedResourceStatuses = {} } = status;
  return [
    ...validateMetadataChange(metadata, old.metadata),
    ...validateFinalizersQualified(metadata, dialect),
    ...Object.entries(capacity).flatMap(([name, amount]) =>
      validateNonNegativeQuantity(amount, `status.capacity[${name}]`),
    ),
    ...Object.entries(allocatedResourceStatuses).flatMap(([name, resizeStatus]) => [
      // kube-apiserver writes the field's name in the singular, and prints the resource as the bad value.
      ...validateAllocated(name, 'status.allocatedResourceStatus', dialect),
      ...(resizeStatuses.includes(resizeStatus)
        ? []
        : [notSupported('status.allocatedResourceStatus', new FormattedValue(name), resizeStatuses)]),
    ]),
    ...Object.entries(allocatedResources).flatMap(([name, amount]) => [
      ...validateAllocated(name, 'status.allocatedResources', dialect),
      ...validateNonNegativeQuantity(amount, `status.allocatedResources[${name}]`),
    ]),
  ];
}

const resizeStatuses: readonly string[] = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** Of the native resources, allocatedResources may only contain storage. */
function validateAllocated(name: string, path: string, dialect: KindContext['dialect']): FieldError[] {
  const problems = qualifiedName(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, name, problem));
  return isNativeResource(name, dialect) && name !== 'storage' ? [notSupported(path, name, ['storage'])] : [];
}
