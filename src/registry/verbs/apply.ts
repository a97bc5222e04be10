import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import { badRequest, conflict } from '../../errors/catalogue.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { SubresourceView } from '../../kind/definition.ts';
import type { ServedKind } from '../../kind/registry.ts';
import { decodeStored, parseStored, showStored } from '../../kind/storage/codec.ts';
import { going } from '../../kind/storage/convert.ts';
import { inVersion } from '../../kind/storage/converted.ts';
import type { Applied } from '../../patch/apply/apply-intent.ts';
import { isSameButTimes, writeOwners } from '../../patch/apply/owners.ts';
import { Conversion } from '../../patch/conversion.ts';
import type { Intent } from '../../patch/read-intent.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { isSame } from '../../schema/same.ts';
import type { StoredObject } from '../../store/store.ts';
import { type Api, existing, keyOf, type Target } from '../api.ts';
import { unseen } from '../audit-hook.ts';
import type { WriteOptions } from '../options/write-options.ts';
import {
  type Applying,
  applyConfiguration,
  describe,
  kindText,
  type Live,
} from '../write/apply/apply-configuration.ts';
import { clientThatLeavesNotes, keepNote } from '../write/apply/last-applied.ts';
import { complete, type ReadObject } from '../write/decode.ts';
import { setOwners, storedOwners } from '../write/managed-fields.ts';
import { retrying } from '../write/retry-patch.ts';
import { ownersInView } from '../write/view-managed-fields.ts';
import { create } from './create.ts';
import { type Incoming, settleName, type Updated, update, wantedRevision } from './update.ts';
import { type IncomingView, showAs, updateView } from './update-view.ts';

/** Lays an intent over an object, or over what a subresource shows of it. An object that is not there is created. */
export function apply(
  api: Api,
  target: Target,
  intent: Intent,
  options: WriteOptions,
  warnings: string[],
): Promise<Updated> {
  if (!api.witness) return lay(api, target, intent, options, warnings);
  const act = () => lay(unseen(api), target, intent, options, warnings);
  return api.witness.see({ verb: 'patch', target }, act, ({ object }) => object);
}

async function lay(
  api: Api,
  target: Target,
  intent: Intent,
  options: WriteOptions,
  warnings: string[],
): Promise<Updated> {
  const { resource, subresource } = target;
  const kind = resource.kindOf(subresource);
  refuseOtherKind(kind, intent.value);
  const view = resource.subresource(subresource)?.view;
  const applying = { api, target, kind, intent, options };
  const write = async (said: string[]) => {
    if (view) {
      const read = () => readAppliedView(applying, view, said);
      return { object: await updateView(api, target, view, read, options, said), created: false };
    }
    if (subresource === '' && !api.store.get(keyOf(target))) return createByIntent(applying, said);
    return update(api, target, () => readApplied(applying, said), options, said);
  };
  const { resourceVersion, uid } = metadataOf(intent.value);
  return retrying(warnings, write, () => resourceVersion !== undefined || uid !== undefined);
}

function refuseOtherKind(kind: ServedKind, intent: JsonObject): void {
  const { apiVersion, kind: said } = intent;
  if (apiVersion !== kind.apiVersion || said !== kind.kind) {
    const parts = typeof apiVersion === 'string' ? apiVersion.split('/') : [];
    const [version = '', group = ''] = parts.length > 2 ? [] : parts.reverse();
    const name = typeof said === 'string' && parts.length <= 2 ? said : '';
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${name}`);
  }
  if (Array.isArray(metadataOf(intent).managedFields)) throw badRequest('metadata.managedFields must be nil');
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isObject(metadata) ? metadata : {};
}

async function createByIntent(applying: Applying, warnings: string[]): Promise<Updated> {
  const { api, target, options, kind } = applying;
  const json = jsonOf(kind.definition.schema.write(kind.blank));
  const applied = await applyConfiguration(applying, { json, owners: [], isNew: true });
  const absences = absencesIn(applying);
  const { object } = objectOf(applying, applied.object ?? json, warnings);
  settleName(target, object);
  const { uid } = object.metadata;
  if (uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(target.resource.subject, target.name, why);
  }
  wantedRevision(object);
  setOwners(object, writeOwners(applied.owners));
  const created = create(
    api,
    target,
    { object, absences, hasOwners: true, isChange: true },
    options,
    warnings,
  );
  return { object: await created, created: true };
}

/** The object as it is to be after the apply, with its owners. */
function readApplied(applying: Applying, warnings: string[]): Incoming | Promise<Incoming> {
  const { api, target } = applying;
  const stored = inVersion(target.resource, existing(api, target));
  return going(stored, (shown) => applyTo(applying, shown, warnings));
}

function applyTo(applying: Applying, stored: StoredObject, warnings: string[]): Incoming | Promise<Incoming> {
  const { resource } = applying.target;
  const json = parseStored(resource, showStored(resource, stored));
  const old = resource.definition.schema.decode(json).object;
  delete metadataOf(json).managedFields;
  const live = { json, owners: storedOwners(old.metadata.managedFields) };
  return going(applyConfiguration(applying, live), (applied) =>
    incomingOf(applying, live, applied, old, warnings),
  );
}

function incomingOf(
  applying: Applying,
  { json, owners }: Live,
  applied: Applied,
  old: ApiObject,
  warnings: string[],
): Incoming {
  const { api, kind, intent, options } = applying;
  const { managedFields, ...metadata } = old.metadata;
  const { object, absences } = objectOf(applying, applied.object ?? json, warnings);
  if (options.manager === clientThatLeavesNotes) {
    keepNote(object, intent.value, api.dialect.annotations.lastAppliedConfiguration);
  }
  // Who applies in other words what is there already has changed nothing.
  const isUnchanged =
    isSameButTimes(applied.owners, owners) && isSame(kind.definition.schema, { ...old, metadata }, object);
  setOwners(object, isUnchanged ? managedFields : writeOwners(applied.owners));
  return { object, absences, old, isPatched: true, hasOwners: true, isUnchanged };
}

async function readAppliedView(
  applying: Applying,
  view: SubresourceView,
  warnings: string[],
): Promise<IncomingView> {
  const { api, target, kind } = applying;
  const stored = await inVersion(target.resource, existing(api, target));
  const json = jsonOf(kind.definition.schema.write(showAs(target, view, stored)));
  const owners = ownersInView(target, decodeStored(target.resource, stored));
  const applied = await applyConfiguration(applying, { json, owners });
  return { view: objectOf(applying, applied.object ?? json, warnings).object, owners: applied.owners };
}

function jsonOf(text: string | Buffer): JsonObject {
  return parseJson(Buffer.from(text)).value as JsonObject;
}

/** What an intent lacks that creates an object: of the result this cannot be told, since it has all required fields. */
function absencesIn({ kind, intent }: Applying): readonly FieldError[] {
  const conversion = new Conversion();
  try {
    kind.definition.schema.read(intent.value, conversion);
  } catch (error) {
    // The result has the same fault, and is refused for it.
    if (!(error instanceof DecodeError)) throw error;
  }
  return conversion.absences;
}

/** What came of an intent as an object of its kind. Keys that the intent says twice are spoken of only now. */
function objectOf({ kind, intent, options }: Applying, json: JsonObject, warnings: string[]): ReadObject {
  const conversion = new Conversion();
  let object: ApiObject;
  try {
    object = kind.definition.schema.read(json, conversion);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const subject = describe(kind, intent.value);
    const why = `unable to convert unstructured object to ${kindText(kind)}: ${error.message}`;
    throw new ApiError(500, '', `failed to convert new object (${subject}) to proper version: ${why}`);
  }
  if (intent.repeated.length > 0 && options.fieldValidation !== 'Ignore') {
    if (options.fieldValidation === 'Strict') {
      const why = `yaml: unmarshal errors:\n  ${intent.repeated.join('\n  ')}`;
      throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${why}`);
    }
    warnings.push(...intent.repeated);
  }
  complete(kind, object, warnings, true);
  return { object, absences: conversion.absences };
}
