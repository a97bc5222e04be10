// PersistentVolumeClaim: validation of updates of spec and status.
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
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import { compareQuantities } from '../../schema/quantity.ts';
import { coreLayout } from './go-layout.ts';
import { type PersistentVolumeClaim, PersistentVolumeClaimSpec } from './persistentvolumeclaim.ts';
import { validateAmount, validateClaimSpec } from './persistentvolumeclaim-validation.ts';
import { isNativeResource, mustParseQuantity } from './resource-list.ts';

/** kube-apiserver runs create validation again on update, so each error appears twice. */
export function validateClaimUpdate(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  context: KindContext,
): FieldError[] {
  const { metadata, spec } = claim;
  const whole = () => [
    ...validateMetadata(metadata, true, nameIsSubdomain),
    ...validateFinalizersQualified(metadata, context.dialect),
    ...validateClaimSpec(spec, 'spec', context.features),
  ];
  return [
    ...whole(),
    ...whole(),
    ...validateMetadataChange(metadata, old.metadata),
    ...validateFinalizersQualified(metadata, context.dialect),
    ...validateSpecChange(claim, old, context),
    ...validateSizeChange(spec, old),
    ...(spec.volumeMode === old.spec.volumeMode
      ? []
      : [invalid('volumeMode', spec.volumeMode, 'field is immutable')]),
    ...validateAttributesClassChange(spec, old.spec),
  ];
}

const immutableSpecMessage =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Mutable fields: volumeName once, storageClassName from unset, and, once bound, the requested size and volumeAttributesClassName. */
function validateSpecChange(
  { metadata, spec, status }: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { dialect }: KindContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const before = { ...old.spec };
  const after = { ...spec };
  if (!before.volumeName) before.volumeName = after.volumeName ?? '';
  const annotation = dialect.annotations.storageClass;
  const annotated = metadata.annotations?.[annotation];
  const annotatedBefore = old.metadata.annotations?.[annotation];
  const becameField =
    annotatedBefore !== undefined &&
    before.storageClassName === undefined &&
    after.storageClassName === annotatedBefore;
  if (becameField) delete after.storageClassName;
  else {
    if ((annotated ?? '') !== (annotatedBefore ?? '')) {
      errors.push(invalid(`metadata.annotations.${annotation}`, annotated ?? '', 'field is immutable'));
    }
    if (annotatedBefore === undefined && before.storageClassName === undefined) delete after.storageClassName;
  }
  if (status.phase === 'Bound') {
    const size = before.resources.requests?.storage;
    if (after.resources.requests && size !== undefined) {
      after.resources = { ...after.resources, requests: { ...after.resources.requests, storage: size } };
    }
    const { volumeAttributesClassName } = before;
    if (volumeAttributesClassName === undefined) delete after.volumeAttributesClassName;
    else if (after.volumeAttributesClassName !== undefined) {
      after.volumeAttributesClassName = volumeAttributesClassName;
    }
  }
  if (PersistentVolumeClaimSpec.write(after) !== PersistentVolumeClaimSpec.write(before)) {
    const show = (each: PersistentVolumeClaimSpec) =>
      goStructValue(PersistentVolumeClaimSpec, each, coreLayout);
    errors.push(forbidden('spec', `${immutableSpecMessage}\n${goCmpDiff(show(before), show(after))}`));
  }
  return errors;
}

/** A pending expansion may be reduced, but not below status.capacity (RecoverVolumeExpansionFailure). */
function validateSizeChange(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaim): FieldError[] {
  const size = mustParseQuantity(spec.resources.requests?.storage ?? '0');
  const before = mustParseQuantity(old.spec.resources.requests?.storage ?? '0');
  const there = mustParseQuantity(old.status.capacity?.storage ?? '0');
  if (compareQuantities(size, before) >= 0 || compareQuantities(size, there) > 0) return [];
  return [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')];
}

function validateAttributesClassChange(
  { volumeAttributesClassName: name }: PersistentVolumeClaimSpec,
  { volumeAttributesClassName: before }: PersistentVolumeClaimSpec,
): FieldError[] {
  if (before === undefined || name === before || (name !== undefined && name !== '')) return [];
  const to = name === undefined ? 'nil' : 'an empty string';
  return [forbidden('spec.volumeAttributesClassName', `update from non-nil value to ${to} is forbidden`)];
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
      validateAmount(amount, `status.capacity[${name}]`),
    ),
    ...Object.entries(allocatedResourceStatuses).flatMap(([name, resizing]) => [
      ...validateAllocated(name, 'status.allocatedResourceStatus', dialect),
      ...(resizeStatuses.includes(resizing)
        ? []
        : [notSupported('status.allocatedResourceStatus', new FormattedValue(name), resizeStatuses)]),
    ]),
    ...Object.entries(allocatedResources).flatMap(([name, amount]) => [
      ...validateAllocated(name, 'status.allocatedResources', dialect),
      ...validateAmount(amount, `status.allocatedResources[${name}]`),
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
