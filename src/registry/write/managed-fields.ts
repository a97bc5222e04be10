import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import {
  type ManagedFieldsEntry,
  ManagedFieldsEntry as ManagedFieldsEntryType,
} from '../../kind/meta/object-meta.ts';
import type { ServedKind, ServedResource } from '../../kind/registry.ts';
import { type Convert, withVersions } from '../../kind/storage/convert.ts';
import type { UpdateStrategy } from '../../kind/strategy.ts';
import { timestamp } from '../../kind/time.ts';
import { compareObjects } from '../../patch/apply/compare.ts';
import { type FieldSet, fieldSetOfDottedPaths } from '../../patch/apply/field-set.ts';
import { InvalidListElement } from '../../patch/apply/list-elements.ts';
import {
  areEqualIgnoringTime,
  decodeManagedFields,
  encodeManagedFields,
  type FieldManager,
  type ManagedFieldSet,
} from '../../patch/apply/managed-fields.ts';
import { mergeSchemaOf } from '../../patch/apply/merge-schema.ts';
import { changesByVersion, managersAfterUpdate } from '../../patch/apply/ownership.ts';
import { reconcileWithSchema } from '../../patch/apply/to-field-set.ts';
import { isSame } from '../../schema/same.ts';
import type { Api } from '../api.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type { WriteContext } from './context.ts';

/** Sets managedFields as they are after the write, unless server-side apply has. */
export function setManagedFields(context: WriteContext): void | Promise<void> {
  if (context.hasManagedFields) return;
  const { api, target, object, old, options } = context;
  return updateManagedFields(api, target, object, old, options);
}

/**
 * Writes into an object that replaces another, or a new one, who owns what after that. What is sent is as yet as it came.
 * A promise only where a webhook has to be asked what others own in their version.
 */
export function updateManagedFields(
  api: Api,
  target: Target,
  object: ApiObject,
  old: ApiObject | undefined,
  options: WriteOptions,
): void | Promise<void> {
  const settling = withVersions(target.resource, (convert) =>
    settle({ api, target, options, convert }, object, old),
  );
  if (!(settling instanceof Promise)) return;
  return settling.catch((error: unknown) => {
    // Who owns what cannot be said then, and need not be.
    if (!(error instanceof ApiError)) throw error;
    setOwners(object, undefined);
  });
}

interface Settling {
  readonly api: Api;
  readonly target: Target;
  readonly options: WriteOptions;
  readonly convert: Convert;
}

function settle(settling: Settling, object: ApiObject, old: ApiObject | undefined): void {
  const { api, target } = settling;
  const { metadata } = object;
  const stored = old?.metadata.managedFields;
  const said = target.subresource === '' ? metadata.managedFields : undefined;
  const sent = said && stored && areSameEntries(said, stored) ? undefined : said;
  const before = (sent && ownersSaid(api, target.resource, sent)) ?? storedOwners(stored);
  // An object that nobody owns anything of was freed of its owners, and stays so until somebody applies.
  const owners = old && before.length === 0 ? before : ownersAfter(settling, object, old, before);
  if (owners === before && isSaidBy(before, stored)) setOwners(object, stored);
  else if (
    old &&
    owners === before &&
    areEqualIgnoringTime(owners, decodeManagedFields(stored ?? []) ?? [])
  ) {
    setOwners(object, stored);
  } else setOwners(object, encodeManagedFields(owners));
}

/** As settleOwners, of what is sent to a subresource that is a kind of its own and keeps nothing. */
export function settleOwnersOfAction(
  api: Api,
  { apiVersion, definition }: ServedKind,
  subresource: string,
  object: ApiObject,
  { manager = api.dialect.serverName }: WriteOptions,
): void {
  const shape = mergeSchemaOf(definition.schema);
  const blank = { apiVersion, kind: definition.kind, metadata: {} };
  const changes = changesByVersion(
    (version) => (version === apiVersion ? compareObjects(shape, blank, object, 'object') : undefined),
    fieldSetOfDottedPaths([]),
  );
  const writer: FieldManager = { manager, operation: 'Update', apiVersion, subresource };
  setOwners(object, encodeManagedFields(managersAfterUpdate([], writer, changes, timestamp(api.clock))));
}

export function setOwners({ metadata }: ApiObject, entries: ManagedFieldsEntry[] | undefined): void {
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries;
}

/** Whether a client only says what it has read. */
function areSameEntries(some: readonly ManagedFieldsEntry[], others: readonly ManagedFieldsEntry[]): boolean {
  return (
    some.length === others.length &&
    some.every((entry, index) => isSame(ManagedFieldsEntryType, entry, others[index]))
  );
}

/** Whether these entries are what the owners were read from. */
function isSaidBy(
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
 * The owners that a client names, as far as they make sense; undefined where nothing does. An empty list or entry takes
 * them all away.
 */
function ownersSaid(
  api: Api,
  resource: ServedResource,
  sent: readonly ManagedFieldsEntry[],
): readonly ManagedFieldSet[] | undefined {
  if (sent.length === 0 || (sent.length === 1 && Object.keys(sent[0]!).length === 0)) return [];
  return decodeManagedFields(sent)?.flatMap(({ entry: _entry, ...owner }) => {
    const version = versionOf(api, resource, owner.apiVersion);
    if (!version || owner.fields.isEmpty) return [];
    return [
      { ...owner, fields: reconcileWithSchema(owner.fields, mergeSchemaOf(version.definition.schema)) },
    ];
  });
}

export function storedOwners(stored: readonly ManagedFieldsEntry[] | undefined): readonly ManagedFieldSet[] {
  return (stored && decodeManagedFields(stored)) ?? [];
}

function ownersAfter(
  { api, target, options, convert }: Settling,
  object: ApiObject,
  old: ApiObject | undefined,
  before: readonly ManagedFieldSet[],
): readonly ManagedFieldSet[] {
  const { resource } = target;
  const changes = changesByVersion((apiVersion) => {
    const version = versionOf(api, resource, apiVersion);
    if (!version) return undefined;
    const shape = mergeSchemaOf(version.definition.schema);
    const shown = (state: ApiObject) => convert(state, resource, version);
    return compareObjects(shape, old ? shown(old) : version.blank, shown(object), 'object');
  }, untrackedBy(target));
  try {
    return managersAfterUpdate(
      before,
      writerOf(api, target, options, 'Update'),
      changes,
      timestamp(api.clock),
    );
  } catch (error) {
    // Nobody can own parts of what cannot be taken apart.
    if (error instanceof InvalidListElement) return [];
    throw error;
  }
}

/** The same kind in another version of its group; undefined if it has none of that name. */
export function versionOf(
  { registry }: Api,
  resource: ServedResource,
  apiVersion: string,
): ServedResource | undefined {
  if (apiVersion === resource.apiVersion) return resource;
  const { group, stored } = resource;
  return registry.ofVersion(apiVersion).find((other) => other.stored === stored && other.group === group);
}

export function writerOf(
  { dialect }: Api,
  { resource, subresource }: Target,
  { manager = dialect.serverName }: WriteOptions,
  operation: 'Apply' | 'Update',
): FieldManager {
  return { manager, operation, apiVersion: resource.apiVersion, subresource };
}

const untracked = new WeakMap<UpdateStrategy, FieldSet>();
const noRules: UpdateStrategy = {};

/** The rules by which the target is updated. */
export function rulesOf({ resource, subresource }: Target): UpdateStrategy {
  if (subresource === '') return resource.definition.strategy;
  return resource.subresource(subresource)?.rules ?? noRules;
}

/** The fields that nobody comes to own by this way of writing. */
export function untrackedBy(target: Target): FieldSet {
  const rules = rulesOf(target);
  let known = untracked.get(rules);
  if (!known) {
    known = fieldSetOfDottedPaths(rules.untracked ?? []);
    untracked.set(rules, known);
  }
  return known;
}
