// Server-side apply in the stage applyPatch: merges the applied configuration into the current object or its view
// (`scale`), or creates the object. The later stages write the result like that of any other verb.
import { isObject, type JsonObject } from '../../../codec/json/json-value.ts';
import { parseJson } from '../../../codec/json/parse.ts';
import { badRequest, conflict } from '../../../errors/catalogue.ts';
import type { FieldError } from '../../../errors/field-error.ts';
import { ApiError } from '../../../errors/status.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import type { SubresourceView } from '../../../kind/definition.ts';
import { decodeStored, parseStored, storedJsonInVersion } from '../../../kind/storage/codec.ts';
import { mapMaybePromise } from '../../../kind/storage/convert.ts';
import { convertToVersion } from '../../../kind/storage/convert-stored.ts';
import { areEqualIgnoringTime, encodeManagedFields } from '../../../patch/apply/managed-fields.ts';
import type { ApplyResult } from '../../../patch/apply/structured-apply.ts';
import type { AppliedConfiguration } from '../../../patch/decode-applied-configuration.ts';
import { UnstructuredDecoding } from '../../../patch/unstructured-decoding.ts';
import { DecodeError } from '../../../schema/decoding.ts';
import { isSemanticallyEqual } from '../../../schema/semantic-equality.ts';
import type { StoredObject } from '../../../store/store.ts';
import { keyOf } from '../../target.ts';
import { existing } from '../../verb-context.ts';
import { viewOfStored } from '../../view.ts';
import { addWarnings } from '../add-warnings.ts';
import type { WriteContext } from '../context.ts';
import { applyDefaults, type DecodedBody, setDecoded } from '../decode.ts';
import { assertNameMatches, revisionIn } from '../load-current.ts';
import { assignManagedFields, decodeStoredOwners } from '../managed-fields.ts';
import { ownersInView } from '../view-managed-fields.ts';
import {
  type ApplyContext,
  applyConfiguration,
  describeObject,
  groupVersionKindText,
  type LiveObject,
} from './apply-configuration.ts';
import { clientSideApplyManager, updateLastApplied } from './last-applied.ts';

/** Applies to the current object or its view; creates an object that does not exist. */
export function applyToCurrent(
  context: WriteContext,
  configuration: AppliedConfiguration,
): void | Promise<void> {
  const { api, target, options } = context;
  const { resource, subresource } = target;
  const { resourceVersion, uid } = metadataOf(configuration.value);
  context.hasPreconditions = resourceVersion !== undefined || uid !== undefined;
  const applyContext = { api, target, kind: resource.kindOf(subresource), configuration, options };
  const view = resource.subresource(subresource)?.view;
  if (!view && subresource === '' && !api.store.get(keyOf(target)))
    return createByApply(context, applyContext);
  const stored = existing(api, target);
  context.stored = stored;
  return mapMaybePromise(convertToVersion(resource, stored), (converted) =>
    view
      ? applyToView(context, applyContext, view, converted)
      : applyToObject(context, applyContext, converted),
  );
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isObject(metadata) ? metadata : {};
}

/** Merges the configuration into a blank object, which the write then creates. */
function createByApply(context: WriteContext, applyContext: ApplyContext): void | Promise<void> {
  const { target, kind } = applyContext;
  const json = parseJsonObject(kind.definition.schema.write(kind.blank));
  return mapMaybePromise(applyConfiguration(applyContext, { json, owners: [], isNew: true }), (applied) => {
    const absences = missingFieldsIn(applyContext);
    const { object } = decodeResult(applyContext, applied.object ?? json, context.warnings);
    assertNameMatches(target, object);
    const { uid } = object.metadata;
    if (uid) {
      const problem = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
      throw conflict(target.resource.subject, target.name, problem);
    }
    // Rejects a malformed resourceVersion.
    revisionIn(object);
    assignManagedFields(object, encodeManagedFields(applied.owners));
    context.isNew = true;
    setDecoded(context, { object, absences, hasManagedFields: true });
  });
}

function applyToObject(
  context: WriteContext,
  applyContext: ApplyContext,
  stored: StoredObject,
): void | Promise<void> {
  const { resource } = applyContext.target;
  const json = parseStored(resource, storedJsonInVersion(resource, stored));
  const old = resource.definition.schema.decode(json).object;
  // managedFields are merged as decoded owners, not as fields of the object.
  delete metadataOf(json).managedFields;
  const live = { json, owners: decodeStoredOwners(old.metadata.managedFields) };
  return mapMaybePromise(applyConfiguration(applyContext, live), (applied) =>
    setResult(context, applyContext, live, applied, old),
  );
}

/** Sets the object to write from the result of an apply to an existing object. */
function setResult(
  context: WriteContext,
  applyContext: ApplyContext,
  { json, owners }: LiveObject,
  applied: ApplyResult,
  old: ApiObject,
): void {
  const { api, kind, configuration, options } = applyContext;
  const { managedFields: oldManagedFields, ...oldMetadata } = old.metadata;
  const { object, absences } = decodeResult(applyContext, applied.object ?? json, context.warnings);
  if (options.manager === clientSideApplyManager) {
    updateLastApplied(object, configuration.value, api.dialect.annotations.lastAppliedConfiguration);
  }
  // A configuration that is already applied changes nothing, not even the time in managedFields.
  const isUnchanged =
    areEqualIgnoringTime(applied.owners, owners) &&
    isSemanticallyEqual(kind.definition.schema, { ...old, metadata: oldMetadata }, object);
  assignManagedFields(object, isUnchanged ? oldManagedFields : encodeManagedFields(applied.owners));
  setDecoded(context, { object, absences, hasManagedFields: true });
  context.old = old;
  context.isUnchanged = isUnchanged;
}

/** The next stage, `applyView`, merges the resulting view into its parent. */
function applyToView(
  context: WriteContext,
  applyContext: ApplyContext,
  view: SubresourceView,
  stored: StoredObject,
): void | Promise<void> {
  const { target, kind } = applyContext;
  const json = parseJsonObject(kind.definition.schema.write(viewOfStored(target, view, stored)));
  const owners = ownersInView(target, decodeStored(target.resource, stored));
  return mapMaybePromise(applyConfiguration(applyContext, { json, owners }), (applied) => {
    setDecoded(context, {
      object: decodeResult(applyContext, applied.object ?? json, context.warnings).object,
    });
    context.viewOwners = applied.owners;
  });
}

function parseJsonObject(text: string | Buffer): JsonObject {
  return parseJson(Buffer.from(text)).value as JsonObject;
}

/**
 * Required fields missing from a configuration that creates its object. The merged object does not show them: it starts
 * from a blank object, which has them all with empty values.
 */
function missingFieldsIn({ kind, configuration }: ApplyContext): readonly FieldError[] {
  const conversion = new UnstructuredDecoding();
  try {
    kind.definition.schema.read(configuration.value, conversion);
  } catch (error) {
    // Decoding the result fails in the same way, and reports it.
    if (!(error instanceof DecodeError)) throw error;
  }
  return conversion.absences;
}

/** Decodes the result of an apply. Duplicate keys in the configuration are reported only here, as upstream does. */
function decodeResult(
  { kind, configuration, options }: ApplyContext,
  json: JsonObject,
  warnings: string[],
): DecodedBody {
  const conversion = new UnstructuredDecoding();
  let object: ApiObject;
  try {
    object = kind.definition.schema.read(json, conversion);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const subject = describeObject(kind, configuration.value);
    const problem = `unable to convert unstructured object to ${groupVersionKindText(kind)}: ${error.message}`;
    throw new ApiError(500, '', `failed to convert new object (${subject}) to proper version: ${problem}`);
  }
  if (configuration.duplicateKeys.length > 0 && options.fieldValidation !== 'Ignore') {
    if (options.fieldValidation === 'Strict') {
      const problem = `yaml: unmarshal errors:\n  ${configuration.duplicateKeys.join('\n  ')}`;
      throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problem}`);
    }
    addWarnings(warnings, configuration.duplicateKeys);
  }
  applyDefaults(kind, object, warnings, { isPatched: true });
  return { object, absences: conversion.absences };
}
