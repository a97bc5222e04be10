// PersistentVolume: validation of create, update and status.
// Dialect: the names of annotations and labels in Kubernetes' domain, or in Orch's own.

import { posix } from 'node:path';
import type { Dialect } from '../../dialect/dialect.ts';
import {
  addErrors,
  type FieldError,
  FormattedValue,
  forbidden,
  formatItems,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { goCmpDiff } from '../../errors/go-cmp-diff.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import { goStructValue } from '../../kind/meta/go-struct.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { dnsSubdomain, nameIsSubdomain } from '../../schema/names.ts';
import { coreLayout } from './go-layout.ts';
import { validateNodeSelector } from './node-selector-validation.ts';
import { type PersistentVolume, type PersistentVolumeSpec, VolumeNodeAffinity } from './persistentvolume.ts';
import {
  supportsMountOptions,
  validatePersistentVolumeSource,
} from './persistentvolume-source-validation.ts';
import { PersistentVolumeSource } from './persistentvolume-sources.ts';
import {
  validateAccessModes,
  validateNonNegativeQuantity,
  validatePositiveQuantity,
  validateVolumeMode,
} from './persistentvolumeclaim-validation.ts';
import { formatQuantity, mustParseQuantity, type ResourceList } from './resource-list.ts';

export function validatePersistentVolume(volume: PersistentVolume, context: KindContext): FieldError[] {
  const { metadata, spec } = volume;
  const errors = [
    ...validateFinalizersQualified(metadata, context.dialect),
    ...validatePersistentVolumeSpec(spec, 'spec', metadata.name ?? '', context),
  ];
  const annotation = context.dialect.annotations.mountOptions;
  if (metadata.annotations?.[annotation] !== undefined && !supportsMountOptions(spec)) {
    const detail = 'may not specify mount options for this volume type';
    errors.push(forbidden(`metadata.annotations.${annotation}`, detail));
  }
  return errors;
}

/** kube-apiserver runs create validation again on update, so each error appears twice. */
export function validatePersistentVolumeUpdate(
  volume: PersistentVolume,
  old: PersistentVolume,
  context: KindContext,
): FieldError[] {
  const validateAsCreate = () => [
    ...validateMetadata(volume.metadata, { namespaced: false, nameRule: nameIsSubdomain }),
    ...validatePersistentVolume(volume, context),
  ];
  return [
    ...validateAsCreate(),
    ...validateAsCreate(),
    ...validateSpecUpdate(volume.spec, old.spec, context),
  ];
}

export function validatePersistentVolumeStatus(
  { metadata }: PersistentVolume,
  old: PersistentVolume,
  { dialect }: KindContext,
): FieldError[] {
  return [
    ...validateMetadataChange(metadata, old.metadata),
    ...validateFinalizersQualified(metadata, dialect),
  ];
}

/** Validates the spec of the PersistentVolume called `name`. */
function validatePersistentVolumeSpec(
  spec: PersistentVolumeSpec,
  path: string,
  name: string,
  { dialect }: KindContext,
): FieldError[] {
  const { accessModes = [], capacity, persistentVolumeReclaimPolicy: policy, storageClassName } = spec;
  return [
    ...(accessModes.length > 0 ? [] : [required(`${path}.accessModes`)]),
    ...validateAccessModes(accessModes, `${path}.accessModes`),
    ...validateCapacity(capacity, `${path}.capacity`),
    ...(!policy || reclaimPolicies.includes(policy)
      ? []
      : [notSupported(`${path}.persistentVolumeReclaimPolicy`, policy, reclaimPolicies)]),
    ...validateNodeAffinity(spec, path),
    ...validatePersistentVolumeSource(spec, path, name, dialect),
    ...validateRecyclePolicy(spec, path),
    ...(storageClassName ? dnsSubdomain(storageClassName) : []).map((problem) =>
      invalid(`${path}.storageClassName`, storageClassName, problem),
    ),
    ...validateVolumeMode(spec.volumeMode, `${path}.volumeMode`),
    ...validateAttributesClass(spec, path),
  ];
}

/** Validates `inlineVolumeSpec` of a VolumeAttachment. */
export function validateInlineVolumeSpec(
  spec: PersistentVolumeSpec,
  path: string,
  { dialect }: KindContext,
): FieldError[] {
  const { accessModes = [], capacity = {}, persistentVolumeReclaimPolicy: policy, volumeMode } = spec;
  const errors: FieldError[] = [];
  const reject = (field: keyof PersistentVolumeSpec, detail: string) =>
    errors.push(forbidden(`${path}.${field}`, `may ${detail} in the context of inline volumes`));
  if (spec.claimRef) reject('claimRef', 'not be specified');
  if (Object.keys(capacity).length > 0) reject('capacity', 'not be specified');
  if (!spec.csi) errors.push(required(`${path}.csi`, 'has to be specified in the context of inline volumes'));
  if (accessModes.length === 0) errors.push(required(`${path}.accessModes`));
  addErrors(errors, validateAccessModes(accessModes, `${path}.accessModes`));
  if (policy && policy !== 'Retain') reject('persistentVolumeReclaimPolicy', 'only be Retain');
  if (spec.nodeAffinity) reject('nodeAffinity', 'not be specified');
  addErrors(errors, [
    ...validatePersistentVolumeSource(spec, path, '', dialect),
    ...validateRecyclePolicy(spec, path),
  ]);
  if (spec.storageClassName) reject('storageClassName', 'not be specified');
  if (volumeMode !== undefined && volumeMode !== 'Filesystem') {
    reject('volumeMode', 'not specify volumeMode other than Filesystem');
  }
  return [...errors, ...validateAttributesClass(spec, path)];
}

const reclaimPolicies: readonly string[] = ['Delete', 'Recycle', 'Retain'];

function validateCapacity(capacity: ResourceList | undefined, path: string): FieldError[] {
  const names = Object.keys(capacity ?? {});
  const errors: FieldError[] = names.length > 0 ? [] : [required(path)];
  if (names.length !== 1 || names[0] !== 'storage') {
    errors.push(notSupported(path, formatCapacity(capacity), ['storage']));
  }
  const size = capacity?.storage;
  if (size === undefined) return errors;
  return [
    ...errors,
    ...validateNonNegativeQuantity(size, `${path}[storage]`),
    ...validatePositiveQuantity(size, `${path}[storage]`),
  ];
}

/** A capacity as Go's %#v prints it. */
function formatCapacity(capacity: ResourceList | undefined): FormattedValue {
  if (!capacity) return new FormattedValue('core.ResourceList(nil)');
  const amounts = formatItems(
    Object.keys(capacity).sort(),
    (name) => `${quote(name)}:${formatQuantity(mustParseQuantity(capacity[name]!)).text}`,
  );
  return new FormattedValue(`core.ResourceList{${amounts}}`);
}

function validateNodeAffinity({ nodeAffinity }: PersistentVolumeSpec, path: string): FieldError[] {
  if (!nodeAffinity) return [];
  const fieldPath = `${path}.nodeAffinity.required`;
  if (!nodeAffinity.required) return [required(fieldPath, 'must specify required node constraints')];
  return validateNodeSelector(nodeAffinity.required, fieldPath);
}

/** The Recycle policy deletes all files, so it is rejected for hostPath `/`. */
function validateRecyclePolicy(
  { hostPath, persistentVolumeReclaimPolicy: policy }: PersistentVolumeSpec,
  path: string,
): FieldError[] {
  if (policy !== 'Recycle' || !hostPath || posix.normalize(hostPath.path) !== '/') return [];
  const detail = "may not be 'recycle' for a hostPath mount of '/'";
  return [forbidden(`${path}.persistentVolumeReclaimPolicy`, detail)];
}

function validateAttributesClass(spec: PersistentVolumeSpec, path: string): FieldError[] {
  const { volumeAttributesClassName: name, csi } = spec;
  if (name === undefined) return [];
  const fieldPath = `${path}.volumeAttributesClassName`;
  const errors =
    name === ''
      ? [required(fieldPath, 'an empty string is disallowed')]
      : dnsSubdomain(name).map((problem) => invalid(fieldPath, name, problem));
  if (!csi) {
    errors.push(required(`${path}.csi`, 'has to be specified when using volumeAttributesClassName'));
  }
  return errors;
}

function validateSpecUpdate(
  spec: PersistentVolumeSpec,
  old: PersistentVolumeSpec,
  { dialect }: KindContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const oldSpec = withAddedExpandSecret(old, spec);
  if (PersistentVolumeSource.write(spec) !== PersistentVolumeSource.write(oldSpec)) {
    const toGoStruct = (source: PersistentVolumeSpec) =>
      goStructValue(PersistentVolumeSource, source, coreLayout);
    const detail = 'spec.persistentvolumesource is immutable after creation';
    const difference = goCmpDiff(toGoStruct(oldSpec), toGoStruct(spec));
    errors.push(forbidden('spec.persistentvolumesource', `${detail}\n${difference}`));
  }
  // kube-apiserver omits `spec` from the paths of volumeMode and nodeAffinity.
  if (spec.volumeMode !== old.volumeMode) {
    errors.push(invalid('volumeMode', spec.volumeMode, 'field is immutable'));
  }
  if (old.nodeAffinity && !isSameAffinity(spec.nodeAffinity, old.nodeAffinity, dialect)) {
    const detail = 'field is immutable, except for updating from beta label to GA';
    const badValue = spec.nodeAffinity ? goSyntaxOfType(VolumeNodeAffinity, spec.nodeAffinity) : 'null';
    errors.push(invalid('nodeAffinity', badValue, detail));
  }
  if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    const detail = 'update from non-nil value to nil is forbidden';
    errors.push(forbidden('spec.volumeAttributesClassName', detail));
  }
  return errors;
}

/** The old spec with a controllerExpandSecretRef that the update adds: it may, because older volumes lack the field. */
function withAddedExpandSecret(
  old: PersistentVolumeSpec,
  { csi }: PersistentVolumeSpec,
): PersistentVolumeSpec {
  const expandSecretRef = csi?.controllerExpandSecretRef;
  if (!old.csi || !expandSecretRef || old.csi.controllerExpandSecretRef) return old;
  return { ...old, csi: { ...old.csi, controllerExpandSecretRef: expandSecretRef } };
}

/** Compares node affinities. An update may replace deprecated topology labels by their GA names. */
function isSameAffinity(
  affinity: VolumeNodeAffinity | undefined,
  old: VolumeNodeAffinity,
  { deprecatedNodeLabels }: Dialect,
): boolean {
  if (!affinity) return false;
  const oldWithNewLabels = structuredClone(old);
  for (const [i, term] of (oldWithNewLabels.required?.nodeSelectorTerms ?? []).entries()) {
    for (const [j, expression] of (term.matchExpressions ?? []).entries()) {
      const newKey = affinity.required?.nodeSelectorTerms?.[i]?.matchExpressions?.[j]?.key;
      const deprecatedLabel = deprecatedNodeLabels.find(({ label }) => label === expression.key);
      if (deprecatedLabel && deprecatedLabel.replacement === newKey) expression.key = newKey;
    }
  }
  return VolumeNodeAffinity.write(affinity) === VolumeNodeAffinity.write(oldWithNewLabels);
}
