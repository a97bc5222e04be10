// managedFields of create, update and patch: the writer becomes manager of the fields that it changed.
// Owners are the decoded entries of managedFields: field managers with the fields that each owns.

import { timestamp } from '../../base/clock.ts';
import type { JsonText } from '../../codec/json/json-value.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import {
  type ManagedFieldsEntry,
  ManagedFieldsEntry as ManagedFieldsEntryType,
} from '../../kind/meta/object-meta.ts';
import type { ServedKind, ServedResource } from '../../kind/registry.ts';
import { type Convert, withConversion } from '../../kind/storage/convert.ts';
import type { UpdateStrategy } from '../../kind/strategy.ts';
import { compareObjects } from '../../patch/apply/compare.ts';
import { createdFieldsV1 } from '../../patch/apply/created-fields.ts';
import { type FieldSet, fieldSetOfDottedPaths } from '../../patch/apply/field-set.ts';
import { InvalidListElement } from '../../patch/apply/list-elements.ts';
import {
  areEqualIgnoringTime,
  changesByVersion,
  decodeManagedFields,
  encodeManagedFields,
  type FieldManager,
  type ManagedFieldSet,
  managersAfterUpdate,
} from '../../patch/apply/managed-fields.ts';
import { mergeSchemaOf } from '../../patch/apply/merge-schema.ts';
import { reconcileWithSchema } from '../../patch/apply/to-field-set.ts';
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type { StorageContext } from '../verb-context.ts';
import type { WriteContext } from './context.ts';

/** Pipeline stage: updates managedFields, unless server-side apply has already. */
export function setManagedFields(context: WriteContext): void | Promise<void> {
  if (context.hasManagedFields) return;
  const { api, target, object, old, options } = context;
  return updateManagedFields(api, target, object, old, options);
}

/**
 * Sets the managedFields of `object`, which creates or replaces `old` and is not yet mutated by admission. Returns a
 * promise only if a conversion webhook has to convert the objects to the version of another field manager.
 */
export function updateManagedFields(
  api: StorageContext,
  target: Target,
  object: ApiObject,
  old: ApiObject | undefined,
  options: WriteOptions,
): void | Promise<void> {
  const isPlainCreate = !old && !object.metadata.managedFields;
  if (isPlainCreate && trySetManagedFieldsOfCreate(api, target, object, options)) return;
  const pending = withConversion(target.resource, (convert) =>
    computeManagedFields({ api, target, options, convert }, object, old),
  );
  if (!(pending instanceof Promise)) return;
  return pending.catch((error: unknown) => {
    // A failing conversion webhook does not fail the write: managedFields are dropped, as in kube-apiserver.
    if (!(error instanceof ApiError)) throw error;
    assignManagedFields(object, undefined);
  });
}

/**
 * Fast path of a create: the writer manages all fields of the object. Returns false where the fields cannot be listed
 * directly; they must then be found by comparison with a blank object.
 */
function trySetManagedFieldsOfCreate(
  api: StorageContext,
  target: Target,
  object: ApiObject,
  options: WriteOptions,
): boolean {
  const fieldsV1 = tryListFields(target, object);
  if (!fieldsV1) return false;
  const { manager, operation, apiVersion, subresource } = fieldManagerOf(api, target, options, 'Update');
  const time = timestamp(api.clock);
  const entry: ManagedFieldsEntry = {
    ...{ manager, operation, apiVersion, time, fieldsType: 'FieldsV1', fieldsV1 },
    ...(subresource !== '' && { subresource }),
  };
  object.metadata.managedFields = [entry];
  return true;
}

/** The fields of a new object as FieldsV1; undefined as for createdFieldsV1, and for duplicate or missing list keys. */
function tryListFields(target: Target, object: ApiObject): JsonText | undefined {
  const { definition, blank } = target.resource;
  const schema = mergeSchemaOf(definition.schema);
  try {
    return createdFieldsV1(schema, blank, object, resetFieldsOf(target));
  } catch (error) {
    if (error instanceof InvalidListElement) return undefined;
    throw error;
  }
}

/** The parameters of one update of managedFields. */
interface ManagedFieldsUpdate {
  readonly api: StorageContext;
  readonly target: Target;
  readonly options: WriteOptions;
  readonly convert: Convert;
}

/** Sets the managedFields of `object` from the managers before the write and the fields that the write changes. */
function computeManagedFields(
  update: ManagedFieldsUpdate,
  object: ApiObject,
  old: ApiObject | undefined,
): void {
  const stored = old?.metadata.managedFields;
  const oldOwners = ownersBefore(update, object, stored);
  // The conversion to a version that the CRD no longer has fails, and managedFields are dropped, as in kube-apiserver.
  if (removedVersionIn(update.target.resource, oldOwners) !== undefined) {
    assignManagedFields(object, undefined);
    return;
  }
  // A client removed all managedFields: updates do not track fields again until the first apply.
  const isUntracked = old !== undefined && oldOwners.length === 0;
  const owners = isUntracked ? oldOwners : ownersAfter(update, object, old, oldOwners);
  const keepsStored = owners === oldOwners && areStored(owners, old, stored);
  assignManagedFields(object, keepsStored ? stored : encodeManagedFields(owners));
}

/** The managers before the write: those sent, if the client changed them and they are valid, or else the stored. */
function ownersBefore(
  { api, target }: ManagedFieldsUpdate,
  { metadata }: ApiObject,
  stored: ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldSet[] {
  // A write to a subresource cannot change managedFields.
  const inObject = target.subresource === '' ? metadata.managedFields : undefined;
  const isSentBack = inObject && stored && areSameEntries(inObject, stored);
  const sentOwners = inObject && !isSentBack && decodeSentOwners(api, target.resource, inObject);
  return sentOwners || decodeStoredOwners(stored);
}

/** Whether the stored entries already describe these owners, apart from their times. */
function areStored(
  owners: readonly ManagedFieldSet[],
  old: ApiObject | undefined,
  stored: ManagedFieldsEntry[] | undefined,
): boolean {
  if (areDecodedFrom(owners, stored)) return true;
  return old !== undefined && areEqualIgnoringTime(owners, decodeStoredOwners(stored));
}

/** Sets the managedFields of an object that is sent to a subresource and not stored, such as a Binding. */
export function setManagedFieldsOfAction(
  api: StorageContext,
  { apiVersion, definition }: ServedKind,
  subresource: string,
  object: ApiObject,
  { manager = api.dialect.serverName }: WriteOptions,
): void {
  const schema = mergeSchemaOf(definition.schema);
  const blank = { apiVersion, kind: definition.kind, metadata: {} };
  const changes = changesByVersion(
    (version) => (version === apiVersion ? compareObjects(schema, blank, object, 'object') : undefined),
    fieldSetOfDottedPaths([]),
  );
  const writer: FieldManager = { manager, operation: 'Update', apiVersion, subresource };
  assignManagedFields(
    object,
    encodeManagedFields(managersAfterUpdate([], writer, changes, timestamp(api.clock))),
  );
}

/** Sets metadata.managedFields, or removes it without entries. */
export function assignManagedFields(
  { metadata }: ApiObject,
  entries: ManagedFieldsEntry[] | undefined,
): void {
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries;
}

/** Whether the client sends managedFields back as it read them. */
function areSameEntries(sent: readonly ManagedFieldsEntry[], stored: readonly ManagedFieldsEntry[]): boolean {
  return (
    sent.length === stored.length &&
    sent.every((entry, index) => isSemanticallyEqual(ManagedFieldsEntryType, entry, stored[index]))
  );
}

/** Whether the owners were decoded from exactly these entries, so that these can be kept without encoding. */
function areDecodedFrom(
  owners: readonly ManagedFieldSet[],
  entries: readonly ManagedFieldsEntry[] | undefined,
): boolean {
  return (
    entries !== undefined &&
    owners.length === entries.length &&
    owners.every((owner, index) => owner.entry === entries[index])
  );
}

/**
 * Decodes the managedFields that a client sends, without entries of unknown versions of built-in kinds; undefined if they are
 * malformed. An empty list, or a list of one empty entry, resets managedFields.
 */
function decodeSentOwners(
  api: StorageContext,
  resource: ServedResource,
  sent: readonly ManagedFieldsEntry[],
): readonly ManagedFieldSet[] | undefined {
  if (sent.length === 0 || (sent.length === 1 && Object.keys(sent[0]!).length === 0)) return [];
  return decodeManagedFields(sent)?.flatMap(({ entry: _entry, ...owner }) => {
    const version = versionOf(api, resource, owner.apiVersion);
    if (!version && resource.definition.isCustom) return [owner];
    if (!version || owner.fields.isEmpty) return [];
    return [
      { ...owner, fields: reconcileWithSchema(owner.fields, mergeSchemaOf(version.definition.schema)) },
    ];
  });
}

/** Malformed managedFields count as none. */
export function decodeStoredOwners(
  stored: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldSet[] {
  return (stored && decodeManagedFields(stored)) ?? [];
}

/** The managers after the write; `oldOwners` itself if no manager changes. */
function ownersAfter(
  { api, target, options, convert }: ManagedFieldsUpdate,
  object: ApiObject,
  old: ApiObject | undefined,
  oldOwners: readonly ManagedFieldSet[],
): readonly ManagedFieldSet[] {
  const { resource } = target;
  const changes = changesByVersion((apiVersion) => {
    const version = versionOf(api, resource, apiVersion);
    if (!version) return undefined;
    const schema = mergeSchemaOf(version.definition.schema);
    const convertToVersion = (state: ApiObject) => convert(state, resource, version);
    return compareObjects(
      schema,
      old ? convertToVersion(old) : version.blank,
      convertToVersion(object),
      'object',
    );
  }, resetFieldsOf(target));
  try {
    return managersAfterUpdate(
      oldOwners,
      fieldManagerOf(api, target, options, 'Update'),
      changes,
      timestamp(api.clock),
    );
  } catch (error) {
    // A list with duplicate or missing keys cannot be tracked: managedFields are dropped.
    if (error instanceof InvalidListElement) return [];
    throw error;
  }
}

/** The version of an owner that the CRD of a custom resource does not have, or no longer has. */
export function removedVersionIn(
  { definition, versions }: ServedResource,
  owners: readonly ManagedFieldSet[],
): string | undefined {
  if (!definition.isCustom) return undefined;
  const isRemoved = ({ apiVersion }: ManagedFieldSet) =>
    !versions.some((version) => version.apiVersion === apiVersion);
  return owners.find(isRemoved)?.apiVersion;
}

/**
 * The same kind in version `apiVersion` of its group; undefined if a built-in version is not served, or if a CRD does not have the
 * version.
 */
export function versionOf(
  { registry }: StorageContext,
  resource: ServedResource,
  apiVersion: string,
): ServedResource | undefined {
  if (apiVersion === resource.apiVersion) return resource;
  const { group, stored, definition, versions } = resource;
  if (definition.isCustom) return versions.find((version) => version.apiVersion === apiVersion);
  const candidates = registry.ofVersion(apiVersion);
  return candidates.find((candidate) => candidate.stored === stored && candidate.group === group);
}

/** The caller of a write as field manager. Writes of the server itself have the server's name. */
export function fieldManagerOf(
  { dialect }: StorageContext,
  { resource, subresource }: Target,
  { manager = dialect.serverName }: WriteOptions,
  operation: 'Apply' | 'Update',
): FieldManager {
  return { manager, operation, apiVersion: resource.apiVersion, subresource };
}

const resetFieldsByStrategy = new WeakMap<UpdateStrategy, FieldSet>();

/** The fields that a write to this target resets (kube-apiserver: ResetFields), and which therefore get no manager. */
export function resetFieldsOf({ resource, subresource }: Target): FieldSet {
  const strategy = resource.updateStrategy(subresource);
  let resetFields = resetFieldsByStrategy.get(strategy);
  if (!resetFields) {
    resetFields = fieldSetOfDottedPaths(strategy.resetFields ?? []);
    resetFieldsByStrategy.set(strategy, resetFields);
  }
  return resetFields;
}
