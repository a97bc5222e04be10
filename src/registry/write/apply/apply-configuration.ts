// Server-side apply: merges the applied configuration into the live object, and turns merge failures into API errors.

import { timestamp } from '../../../base/clock.ts';
import { isObject, type JsonObject } from '../../../codec/json/json-value.ts';
import { parseJson } from '../../../codec/json/parse.ts';
import { ApiError } from '../../../errors/status.ts';
import type { ServedKind } from '../../../kind/registry.ts';
import { type Convert, withConversion } from '../../../kind/storage/convert.ts';
import { compareObjects } from '../../../patch/apply/compare.ts';
import { InvalidListElement } from '../../../patch/apply/list-elements.ts';
import type { ManagedFieldSet } from '../../../patch/apply/managed-fields.ts';
import { changesByVersion, managersAfterUpdate } from '../../../patch/apply/managed-fields.ts';
import { type MergeSchema, mergeSchemaOf } from '../../../patch/apply/merge-schema.ts';
import {
  ApplyConflict,
  type ApplyRequest,
  type ApplyResult,
  structuredApply,
} from '../../../patch/apply/structured-apply.ts';
import {
  InvalidConfiguration,
  schemaViolations,
  validateConfiguration,
} from '../../../patch/apply/validate-configuration.ts';
import type { AppliedConfiguration } from '../../../patch/decode-applied-configuration.ts';
import type { WriteOptions } from '../../options/write-options.ts';
import type { Target } from '../../target.ts';
import type { StorageContext } from '../../verb-context.ts';
import { fieldManagerOf, removedVersionIn, resetFieldsOf } from '../managed-fields.ts';
import { applyConflict } from './conflict.ts';
import { clientSideApplyManager, conflictsBeyondLastApplied } from './last-applied.ts';
import { versionsOf } from './versions.ts';

/** The parameters of one server-side apply. */
export interface ApplyContext {
  readonly api: StorageContext;
  readonly target: Target;
  /** The kind of the configuration: that of the resource, or of its subresource view (`Scale`). */
  readonly kind: ServedKind;
  readonly configuration: AppliedConfiguration;
  readonly options: WriteOptions;
}

/** The current object with its field managers. */
export interface LiveObject {
  readonly json: JsonObject;
  /** Empty where the apply creates the object, and where the object has no managedFields yet. */
  readonly owners: readonly ManagedFieldSet[];
  readonly isNew?: boolean;
}

/**
 * Returns the merged object and its field managers. Throws the API error for the client. Returns a promise only if a
 * conversion webhook has to convert the object to the version of another field manager.
 */
export function applyConfiguration(
  applyContext: ApplyContext,
  live: LiveObject,
): ApplyResult | Promise<ApplyResult> {
  return withConversion(applyContext.target.resource, (convert) =>
    mergeConfiguration(applyContext, live, convert),
  );
}

function mergeConfiguration(applyContext: ApplyContext, live: LiveObject, convert: Convert): ApplyResult {
  const { kind, configuration } = applyContext;
  const schema = mergeSchemaOf(kind.definition.schema);
  try {
    validateConfiguration(schema, configuration.value);
    assertVersionsExist(applyContext, live);
    return resolveConflicts(applyContext, schema, applyRequestFor(applyContext, schema, live, convert));
  } catch (error) {
    if (error instanceof ApplyConflict) throw applyConflict(error.conflicts);
    if (error instanceof InvalidConfiguration) {
      const subject = describeObject(kind, configuration.value);
      throw new ApiError(500, '', `failed to create typed patch object (${subject}): ${error.message}`);
    }
    if (error instanceof InvalidListElement) throw liveObjectError(kind, live, schema) ?? error;
    throw error;
  }
}

/**
 * kube-apiserver converts a custom resource to the version of each manager, and fails for one that the CRD no longer has. A view that
 * no manager has written to would be converted from the version of the view.
 */
function assertVersionsExist(
  { target: { resource }, kind }: ApplyContext,
  { owners, isNew }: LiveObject,
): void {
  if (!resource.definition.isCustom || isNew) return;
  if (kind === resource) {
    const removed = removedVersionIn(resource, owners);
    if (removed !== undefined) throw new ApiError(500, '', invalidVersionMessage(removed));
  } else if (owners.length === 0) {
    const subject = `/; ${groupVersionKindText(kind)}`;
    const problem = `failed to convert live object (${subject}) to proper version: ${invalidVersionMessage(kind.apiVersion)}`;
    throw new ApiError(500, '', `failed to create manager for existing fields: ${problem}`);
  }
}

const invalidVersionMessage = (apiVersion: string) =>
  `request to convert CR to an invalid group/version: ${apiVersion}`;

/** The error for a live object that does not fit its merge schema; undefined if it does. */
function liveObjectError(
  kind: ServedKind,
  { json, owners }: LiveObject,
  schema: MergeSchema,
): ApiError | undefined {
  const [problem] = schemaViolations(schema, json, { allowsDuplicates: true });
  if (problem === undefined) return undefined;
  const subject = describeObject(kind, json);
  const context =
    owners.length > 0
      ? `failed to create typed live object (${subject})`
      : `failed to create manager for existing fields: failed to convert new object (${subject}) to smd typed`;
  return new ApiError(500, '', `${context}: ${problem}`);
}

/** Identifies an object in error messages: `<namespace>/<name>; <group>/<version>, Kind=<kind>`. */
export function describeObject(kind: ServedKind, { metadata }: JsonObject): string {
  const { namespace, name } = isObject(metadata) ? metadata : {};
  const [namespaceText, nameText] = [namespace, name].map((text) => (typeof text === 'string' ? text : ''));
  return `${namespaceText}/${nameText}; ${groupVersionKindText(kind)}`;
}

export function groupVersionKindText({ group, version, kind }: ServedKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

function applyRequestFor(
  applyContext: ApplyContext,
  schema: MergeSchema,
  live: LiveObject,
  convert: Convert,
): ApplyRequest {
  const { api, target, kind, configuration, options } = applyContext;
  const writer = { ...fieldManagerOf(api, target, options, 'Apply'), apiVersion: kind.apiVersion };
  const now = timestamp(api.clock);
  const untracked = resetFieldsOf(target);
  const request = {
    versions: versionsOf(api, target, convert),
    live: live.json,
    owners: live.owners,
    configuration: configuration.value,
    writer,
    force: options.force ?? false,
    untracked,
    now,
  };
  if (live.isNew || live.owners.length > 0) return request;
  // The first apply to an object without managedFields assigns its fields to `before-first-apply`, as kube-apiserver
  // does. Otherwise the applier would take over fields that it does not set, without a conflict.
  const blank = parseJson(Buffer.from(kind.definition.schema.write(kind.blank))).value;
  const initial = changesByVersion(() => compareObjects(schema, blank, live.json, 'json'), untracked);
  const initialManager = { ...writer, manager: 'before-first-apply', operation: 'Update' as const };
  return { ...request, owners: managersAfterUpdate([], initialManager, initial, now) };
}

/**
 * Applies, and applies again with force where kubectl conflicts only with fields that it set itself by client-side
 * apply (last-applied annotation).
 */
function resolveConflicts({ api }: ApplyContext, schema: MergeSchema, request: ApplyRequest): ApplyResult {
  try {
    return structuredApply(request);
  } catch (error) {
    const { manager } = request.writer;
    if (!(error instanceof ApplyConflict) || manager !== clientSideApplyManager) throw error;
    const { lastAppliedConfiguration } = api.dialect.annotations;
    const remaining = conflictsBeyondLastApplied(
      error.conflicts,
      schema,
      request.live,
      lastAppliedConfiguration,
    );
    if (remaining.length > 0) throw new ApplyConflict(remaining);
    return structuredApply({ ...request, force: true });
  }
}
