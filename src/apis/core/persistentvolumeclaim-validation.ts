// PersistentVolumeClaim: validation of the spec, of a claim or of the claim template of an ephemeral volume.

import type { FieldError } from '../../errors/field-error.ts';
import { FormattedValue, forbidden, invalid, notSupported, required } from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import type { Features } from '../../kind/features/features.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateAnnotations, validateLabels } from '../../kind/meta/validation.ts';
import { dnsLabel, dnsSubdomain } from '../../schema/names.ts';
import type { Quantity } from '../../schema/quantity.ts';
import type { TypedObjectReference } from './local-object-reference.ts';
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate } from './persistentvolumeclaim.ts';
import { mustParseQuantity } from './resource-list.ts';

/** Validates the spec of a claim or of a claim template. */
export function validateClaimSpec(
  spec: PersistentVolumeClaimSpec,
  path: string,
  features: Features,
): FieldError[] {
  const { accessModes = [], storageClassName, volumeAttributesClassName } = spec;
  const validateClassName = (field: 'storageClassName' | 'volumeAttributesClassName') =>
    dnsSubdomain(spec[field]!).map((problem) => invalid(`${path}.${field}`, spec[field], problem));
  return [
    ...(accessModes.length > 0
      ? []
      : [required(`${path}.accessModes`, 'at least 1 access mode is required')]),
    ...validateLabelSelector(spec.selector, `${path}.selector`),
    ...validateAccessModes(accessModes, `${path}.accessModes`),
    ...validateSize(spec, path),
    ...(storageClassName ? validateClassName('storageClassName') : []),
    ...validateVolumeMode(spec.volumeMode, `${path}.volumeMode`),
    ...validateDataSources(spec, path),
    ...(volumeAttributesClassName && features.enabled('VolumeAttributesClass')
      ? validateClassName('volumeAttributesClassName')
      : []),
  ];
}

const accessModeNames: readonly string[] = [
  'ReadOnlyMany',
  'ReadWriteMany',
  'ReadWriteOnce',
  'ReadWriteOncePod',
];

export function validateAccessModes(modes: readonly string[], path: string): FieldError[] {
  const errors = modes
    .filter((mode) => !accessModeNames.includes(mode))
    .map((mode) => notSupported(path, mode, accessModeNames));
  const supportedModes = modes.filter((mode) => accessModeNames.includes(mode));
  if (
    supportedModes.includes('ReadWriteOncePod') &&
    supportedModes.some((mode) => mode !== 'ReadWriteOncePod')
  ) {
    errors.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

const volumeModeNames: readonly string[] = ['Block', 'Filesystem'];

export function validateVolumeMode(mode: string | undefined, path: string): FieldError[] {
  if (mode === undefined || volumeModeNames.includes(mode)) return [];
  return [notSupported(path, mode, volumeModeNames)];
}

/** kube-apiserver omits `requests` from the path. */
function validateSize({ resources }: PersistentVolumeClaimSpec, path: string): FieldError[] {
  const size = resources.requests?.storage;
  if (size === undefined) return [required(`${path}.resources[storage]`)];
  return validatePositiveQuantity(size, `${path}.resources[storage]`);
}

export function validatePositiveQuantity(quantity: string, path: string): FieldError[] {
  return mustParseQuantity(quantity).amount > 0n
    ? []
    : [invalid(path, quantity, 'must be greater than zero')];
}

export function validateNonNegativeQuantity(amount: string, path: string): FieldError[] {
  if (mustParseQuantity(amount).amount >= 0n) return [];
  return [invalid(path, new FormattedValue(roundUp(amount)), 'must be a valid resource quantity')];
}

/** Rounds up to an integer, as Go's Quantity.Value() does in error messages. */
function roundUp(text: string): string {
  const { amount, scale } = mustParseQuantity(text);
  if (scale >= 0) return String(amount * 10n ** BigInt(scale));
  const step = 10n ** BigInt(-scale);
  return String(amount % step === 0n || amount < 0n ? amount / step : amount / step + 1n);
}

function validateDataSources(spec: PersistentVolumeClaimSpec, path: string): FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  const errors = [
    ...(dataSource ? validateDataSource(dataSource, `${path}.dataSource`) : []),
    ...(dataSourceRef ? validateDataSource(dataSourceRef, `${path}.dataSourceRef`) : []),
  ];
  if (!dataSource || !dataSourceRef) return errors;
  const reject = (detail: string) => errors.push(invalid(path, formattedDataSourcePath, detail));
  if (dataSourceRef.namespace) reject('may not be specified when dataSourceRef.namespace is specified');
  else if (!isSameObject(dataSource, dataSourceRef)) reject('must match dataSourceRef');
  return errors;
}

/** kube-apiserver prints the field path as the invalid value. */
const formattedDataSourcePath = new FormattedValue(
  'field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}',
);

function isSameObject(a: TypedObjectReference, b: TypedObjectReference): boolean {
  return a.kind === b.kind && a.name === b.name && (a.apiGroup ?? '') === (b.apiGroup ?? '');
}

function validateDataSource(source: TypedObjectReference, path: string): FieldError[] {
  const { name, kind, apiGroup, namespace } = source;
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  if (kind === '') errors.push(required(`${path}.kind`));
  if (!apiGroup && kind !== 'PersistentVolumeClaim') {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalid(path, kind, detail));
  }
  if (apiGroup) {
    for (const problem of dnsSubdomain(apiGroup)) errors.push(invalid(`${path}.apiGroup`, apiGroup, problem));
  }
  if (namespace) {
    for (const problem of dnsLabel(namespace)) errors.push(invalid(`${path}.namespace`, namespace, problem));
  }
  return errors;
}

/** Validates the volumeClaimTemplate of a generic ephemeral volume. */
export function validateClaimTemplate(
  template: PersistentVolumeClaimTemplate,
  path: string,
  features: Features,
): FieldError[] {
  return [
    ...validateTemplateMetadata(template.metadata, `${path}.metadata`),
    ...validateClaimSpec(template.spec, `${path}.spec`, features),
  ];
}

/** Metadata fields that templates reject, in kube-apiserver's order and with its spelling in field paths (`uID`). */
const forbiddenTemplateMetadata = {
  name: 'name',
  generateName: 'generateName',
  namespace: 'namespace',
  selfLink: 'selfLink',
  uid: 'uID',
  resourceVersion: 'resourceVersion',
  generation: 'generation',
  creationTimestamp: 'creationTimestamp',
  deletionTimestamp: 'deletionTimestamp',
  deletionGracePeriodSeconds: 'deletionGracePeriodSeconds',
  ownerReferences: 'ownerReferences',
  finalizers: 'finalizers',
  managedFields: 'managedFields',
} as const;

/** A claim template may only set labels and annotations. */
function validateTemplateMetadata(
  metadata: PersistentVolumeClaimTemplate['metadata'],
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  validateAnnotations(metadata.annotations ?? {}, `${path}.annotations`, errors);
  validateLabels(metadata.labels ?? {}, `${path}.labels`, errors);
  for (const [name, pathName] of Object.entries(forbiddenTemplateMetadata)) {
    const value = metadata[name as keyof typeof forbiddenTemplateMetadata];
    const isSet = Array.isArray(value)
      ? value.length > 0
      : value !== undefined && value !== '' && value !== 0;
    if (isSet) errors.push(forbidden(`${path}.${pathName}`, 'cannot be set'));
  }
  return errors;
}

/** Warns about a requested size with a fraction of a byte, which validation accepts. */
export function claimSizeWarnings({ resources }: PersistentVolumeClaimSpec, path: string): string[] {
  return (['requests', 'limits'] as const).flatMap((field) => {
    const size = resources[field]?.storage;
    if (size === undefined || isInteger(mustParseQuantity(size))) return [];
    const fieldPath = `${path}.resources.${field}[storage]`;
    return [`${fieldPath}: fractional byte value ${quote(size)} is invalid, must be an integer`];
  });
}

function isInteger({ amount, scale }: Quantity): boolean {
  return scale >= 0 || amount % 10n ** BigInt(-scale) === 0n;
}
