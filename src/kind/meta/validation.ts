// Validation of ObjectMeta (upstream: ValidateObjectMeta and ValidateObjectMetaUpdate), field managers and namespaces.

import type { Dialect } from '../../dialect/dialect.ts';
import { badRequest } from '../../errors/catalogue.ts';
import {
  addErrors,
  type FieldError,
  FormattedValue,
  forbidden,
  formatItems,
  goStringSlice,
  invalid,
  required,
  tooLong,
  tooMany,
} from '../../errors/field-error.ts';
import {
  type NameRule,
  nameIsLabel,
  nameIsPathSegment,
  qualifiedName,
  validLabelValue,
} from '../../schema/names.ts';
import type { ApiObject, ObjectMetadata, OwnerReference } from '../api-object.ts';
import type { ResourceDefinition } from '../definition.ts';

const maxAnnotationBytes = 256 * 1024;
/** Stricter than upstream, which has no limit: every list with a selector and every delete reads all labels. */
const maxLabelBytes = 256 * 1024;
/** Stricter than upstream, which has no limit: every delete reads all finalizers. */
const maxFinalizerBytes = 256 * 1024;
/** Stricter than upstream, which has no limit: the serving thread reads them for each watch, delete and garbage collection. */
export const maxMetadataItems = 5_000;

/** Validates the metadata of an object on create. */
export function validateMetadataForCreate(
  meta: ObjectMetadata,
  definition: Pick<ResourceDefinition, 'namespaced' | 'strategy'>,
): FieldError[] {
  if (definition.strategy.validatesMetadata) return [];
  return validateMetadata(meta, {
    namespaced: definition.namespaced,
    nameRule: (name, prefix) => definition.strategy.validateName(name, prefix),
  });
}

/**
 * Validates metadata on update, for every kind. Most kinds validate it again in their own strategy, as in kube-apiserver,
 * whose response reports the errors of both.
 */
export function validateMetadataForUpdate(meta: ObjectMetadata, old: ObjectMetadata): FieldError[] {
  return [
    ...validateMetadata(meta, { namespaced: !!old.namespace, nameRule: nameIsPathSegment }),
    ...validateMetadataChange(meta, old),
  ];
}

/** The rules for metadata on both create and update (upstream: ValidateObjectMeta). */
export function validateMetadata(
  meta: ObjectMetadata,
  { namespaced, nameRule }: { readonly namespaced: boolean; readonly nameRule: NameRule },
): FieldError[] {
  const errors: FieldError[] = [];
  if (meta.generateName) {
    for (const problem of nameRule(meta.generateName, true)) {
      errors.push(invalid('metadata.generateName', meta.generateName, problem));
    }
  }
  if (!meta.name) errors.push(required('metadata.name', 'name or generateName is required'));
  else for (const problem of nameRule(meta.name)) errors.push(invalid('metadata.name', meta.name, problem));

  if (!namespaced) {
    if (meta.namespace) errors.push(forbidden('metadata.namespace', 'not allowed on this type'));
  } else if (!meta.namespace) {
    errors.push(required('metadata.namespace'));
  } else {
    for (const problem of nameIsLabel(meta.namespace)) {
      errors.push(invalid('metadata.namespace', meta.namespace, problem));
    }
  }
  if (meta.generation !== undefined && meta.generation < 0) {
    errors.push(
      invalid('metadata.generation', formattedInteger(meta.generation), 'must be greater than or equal to 0'),
    );
  }
  validateMutableMetadata(meta, errors);
  validateFinalizers(meta.finalizers ?? [], errors);
  return errors;
}

/** The rules for changes of metadata (upstream: ValidateObjectMetaUpdate). */
export function validateMetadataChange(meta: ObjectMetadata, old: ObjectMetadata): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) {
    const oldFinalizers = new Set(old.finalizers);
    const added = (meta.finalizers ?? []).filter((name) => !oldFinalizers.has(name));
    if (added.length > 0) {
      const newFinalizers = goStringSlice([...new Set(added)].sort()).text;
      errors.push(
        forbidden(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers ${newFinalizers}`,
        ),
      );
    }
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(
      invalid('metadata.generation', formattedInteger(meta.generation ?? 0), 'must not be decremented'),
    );
  }
  for (const field of immutableFields) {
    if ((meta[field] ?? '') === (old[field] ?? '')) continue;
    errors.push(invalid(`metadata.${field}`, formattedMetadata(field, meta[field]), 'field is immutable'));
  }
  validateMutableMetadata(meta, errors);
  return errors;
}

/** An integer in an error message, with all its digits rather than in exponent form. */
export function formattedInteger(value: number): FormattedValue {
  return new FormattedValue(String(value));
}

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** A metadata value in an error message: timestamps as Go's time.Time prints them. */
function formattedMetadata(field: (typeof immutableFields)[number], value: unknown): unknown {
  if (!field.endsWith('Timestamp') || typeof value !== 'string') return value ?? null;
  return new FormattedValue(`${value.replace('T', ' ').replace('Z', '')} +0000 UTC`);
}

const countedFields = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

function validateMutableMetadata(meta: ObjectMetadata, errors: FieldError[]): void {
  if (meta.labels) {
    validateLabels(meta.labels, 'metadata.labels', errors);
    if (textBytes(meta.labels) > maxLabelBytes) errors.push(tooLong('metadata.labels', maxLabelBytes));
  }
  if (meta.annotations) validateAnnotations(meta.annotations, 'metadata.annotations', errors);
  validateOwnerReferences(meta.ownerReferences ?? [], errors);
  const finalizerBytes = meta.finalizers?.reduce((sum, name) => sum + Buffer.byteLength(name), 0) ?? 0;
  if (finalizerBytes > maxFinalizerBytes) errors.push(tooLong('metadata.finalizers', maxFinalizerBytes));
  for (const field of countedFields) {
    const items = Object.keys(meta[field] ?? {}).length;
    if (items > maxMetadataItems) errors.push(tooMany(`metadata.${field}`, items, maxMetadataItems));
  }
  meta.managedFields?.forEach(({ manager = '' }, i) => {
    addErrors(errors, validateFieldManager(manager, `metadata.managedFields[${i}].manager`));
  });
}

export function validateLabels(
  labels: Readonly<Record<string, string>>,
  path: string,
  errors: FieldError[],
): void {
  for (const key in labels) {
    for (const problem of qualifiedName(key)) errors.push(invalid(path, key, problem));
    for (const problem of validLabelValue(labels[key]!)) errors.push(invalid(path, labels[key], problem));
  }
}

export function validateAnnotations(
  annotations: Readonly<Record<string, string>>,
  path: string,
  errors: FieldError[],
): void {
  for (const key in annotations) {
    // The rules of label keys, except that case does not matter.
    for (const problem of qualifiedName(key.toLowerCase())) errors.push(invalid(path, key, problem));
  }
  if (textBytes(annotations) > maxAnnotationBytes) errors.push(tooLong(path, maxAnnotationBytes));
}

/** The bytes of all keys and values. */
function textBytes(map: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const key in map) bytes += Buffer.byteLength(key) + Buffer.byteLength(map[key]!);
  return bytes;
}

function validateOwnerReferences(owners: readonly OwnerReference[], errors: FieldError[]): void {
  const path = 'metadata.ownerReferences';
  let controller: string | undefined;
  // Formatted once: each further controller is an error that quotes all owners.
  let formattedOwners: FormattedValue | undefined;
  for (const owner of owners) {
    const { apiVersion, kind, name, uid } = owner;
    const [group, version] = splitApiVersion(apiVersion);
    if (version === '') errors.push(invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
    if (kind === '') errors.push(invalid(`${path}.kind`, kind, 'kind must not be empty'));
    if (name === '') errors.push(invalid(`${path}.name`, name, 'name must not be empty'));
    if (uid === '') errors.push(invalid(`${path}.uid`, uid, 'uid must not be empty'));
    if (group === '' && version === 'v1' && kind === 'Event') {
      errors.push(invalid(path, formattedOwner(owner), '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (!owner.controller) continue;
    if (controller !== undefined) {
      formattedOwners ??= new FormattedValue(
        `[]v1.OwnerReference{${formatItems(owners, (each) => formattedOwner(each).text)}}`,
      );
      errors.push(
        invalid(
          path,
          formattedOwners,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${kind}/${name}`,
        ),
      );
    } else {
      controller = `${kind}/${name}`;
    }
  }
}

/** An owner reference in an error message, as Go's %#v prints it; 0xc000000000 stands for the address of a pointer. */
function formattedOwner(owner: OwnerReference): FormattedValue {
  const flag = (value: boolean | undefined) => `(*bool)(${value === undefined ? 'nil' : '0xc000000000'})`;
  const { apiVersion, kind, name, uid } = owner;
  return new FormattedValue(
    `v1.OwnerReference{APIVersion:${JSON.stringify(apiVersion)}, Kind:${JSON.stringify(kind)}, Name:${JSON.stringify(name)}, ` +
      `UID:${JSON.stringify(uid)}, Controller:${flag(owner.controller)}, BlockOwnerDeletion:${flag(owner.blockOwnerDeletion)}}`,
  );
}

/** Splits `v` or `group/v`; any other text gives an empty group and version. */
function splitApiVersion(apiVersion: string): [group: string, version: string] {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return ['', ''];
  return parts.length === 2 ? [parts[0]!, parts[1]!] : ['', apiVersion];
}

function validateFinalizers(finalizers: readonly string[], errors: FieldError[]): void {
  for (const finalizer of finalizers) {
    for (const problem of qualifiedName(finalizer))
      errors.push(invalid('metadata.finalizers', finalizer, problem));
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(
      invalid(
        'metadata.finalizers',
        goStringSlice(finalizers),
        'finalizer orphan and foregroundDeletion cannot be both set',
      ),
    );
  }
}

/** Metadata of a built-in kind, as its own strategy validates it (upstream: ValidateObjectMeta of pkg/apis/core/validation). */
export function validateBuiltInMetadata(
  meta: ObjectMetadata,
  scope: { readonly namespaced: boolean; readonly nameRule: NameRule },
  dialect: Dialect,
): FieldError[] {
  return [...validateMetadata(meta, scope), ...validateFinalizersQualified(meta, dialect)];
}

/** Changes of the metadata of a built-in kind (upstream: ValidateObjectMetaUpdate of pkg/apis/core/validation). */
export function validateBuiltInMetadataChange(
  meta: ObjectMetadata,
  old: ObjectMetadata,
  dialect: Dialect,
): FieldError[] {
  return [...validateMetadataChange(meta, old), ...validateFinalizersQualified(meta, dialect)];
}

/** Requires finalizers to be standard or domain-qualified (upstream: ValidateFinalizerName). Not checked on custom resources. */
export function validateFinalizersQualified(meta: ObjectMetadata, dialect: Dialect): FieldError[] {
  const indexed = (meta.finalizers ?? []).map((name, i) => [name, i] as const);
  return indexed
    .filter(([name]) => !name.includes('/') && !isStandardFinalizer(name, dialect))
    .map(([name, i]) => invalid(`metadata.finalizers[${i}]`, name, unqualifiedFinalizer));
}

export const unqualifiedFinalizer = 'name is neither a standard finalizer name nor is it fully qualified';

export function isStandardFinalizer(name: string, { finalizers }: Dialect): boolean {
  return name === finalizers.namespace || name === finalizers.orphan || name === finalizers.foreground;
}

/** Upstream: FieldManagerMaxLength. */
export const maxFieldManagerBytes = 128;

/** Most field managers: nothing but printable ASCII. */
const printableAscii = /^[\x20-\x7e]*$/;

export const isPrintable = (character: string) => /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character);

/** Rejects names that are too long or contain unprintable characters (upstream: ValidateFieldManager). */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > maxFieldManagerBytes) errors.push(tooLong(path, maxFieldManagerBytes));
  if (printableAscii.test(manager)) return errors;
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const why = `invalid character ${formatCodePoint(character)} (at position ${position})`;
      errors.push(invalid(path, manager, why));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

function formatCodePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Sets the object's namespace to that of the request's path, and throws 400 if the object has another
 * (upstream: EnsureObjectNamespaceMatchesRequestNamespace).
 */
export function ensureNamespaceMatches(
  { namespace }: { readonly namespace: string },
  { metadata }: ApiObject,
): void {
  if (namespace === '') delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (namespace) metadata.namespace = namespace;
}
