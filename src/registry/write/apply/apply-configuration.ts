import { isObject, type JsonObject } from '../../../codec/json/json-value.ts';
import { parseJson } from '../../../codec/json/parse.ts';
import { ApiError } from '../../../errors/status.ts';
import type { ServedKind } from '../../../kind/registry.ts';
import { type Convert, withVersions } from '../../../kind/storage/convert.ts';
import { timestamp } from '../../../kind/time.ts';
import { compareObjects } from '../../../patch/apply/compare.ts';
import { InvalidListElement } from '../../../patch/apply/list-elements.ts';
import type { ManagedFieldSet } from '../../../patch/apply/managed-fields.ts';
import { type MergeSchema, mergeSchemaOf } from '../../../patch/apply/merge-schema.ts';
import { changesByVersion, managersAfterUpdate } from '../../../patch/apply/ownership.ts';
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
import type { Api } from '../../api.ts';
import type { WriteOptions } from '../../options/write-options.ts';
import type { Target } from '../../target.ts';
import { untrackedBy, writerOf } from '../managed-fields.ts';
import { applyConflict } from './conflict.ts';
import { clientThatLeavesNotes, conflictsBeyondNote } from './last-applied.ts';
import { versionsOf } from './versions.ts';

/** An apply on its way. */
export interface Applying {
  readonly api: Api;
  readonly target: Target;
  /** What is applied to: the kind itself, or a view of it. */
  readonly kind: ServedKind;
  readonly intent: AppliedConfiguration;
  readonly options: WriteOptions;
}

/** An object as it is, with its owners. One that is only to be created has none. */
export interface Live {
  readonly json: JsonObject;
  readonly owners: readonly ManagedFieldSet[];
  readonly isNew?: boolean;
}

/**
 * What comes of the intent laid over the object. Throws what the client is to be told. A promise only where a webhook has to
 * be asked what others own in their version.
 */
export function applyConfiguration(applying: Applying, live: Live): ApplyResult | Promise<ApplyResult> {
  return withVersions(applying.target.resource, (convert) => layOver(applying, live, convert));
}

function layOver(applying: Applying, live: Live, convert: Convert): ApplyResult {
  const { kind, intent } = applying;
  const shape = mergeSchemaOf(kind.definition.schema);
  try {
    validateConfiguration(shape, intent.value);
    return resolveConflicts(applying, shape, applicationOf(applying, shape, live, convert));
  } catch (error) {
    if (error instanceof ApplyConflict) throw applyConflict(error.conflicts);
    if (error instanceof InvalidConfiguration) {
      const subject = describe(kind, intent.value);
      throw new ApiError(500, '', `failed to create typed patch object (${subject}): ${error.message}`);
    }
    if (error instanceof InvalidListElement) throw unreadable(kind, live, shape) ?? error;
    throw error;
  }
}

/** What is said where it is the object that cannot be taken apart. */
function unreadable(kind: ServedKind, { json, owners }: Live, shape: MergeSchema): ApiError | undefined {
  const [problem] = schemaViolations(shape, json, true);
  if (problem === undefined) return undefined;
  const subject = describe(kind, json);
  const why =
    owners.length > 0
      ? `failed to create typed live object (${subject})`
      : `failed to create manager for existing fields: failed to convert new object (${subject}) to smd typed`;
  return new ApiError(500, '', `${why}: ${problem}`);
}

/** An intent, or an object, in messages. */
export function describe(kind: ServedKind, { metadata }: JsonObject): string {
  const { namespace, name } = isObject(metadata) ? metadata : {};
  const [where, which] = [namespace, name].map((text) => (typeof text === 'string' ? text : ''));
  return `${where}/${which}; ${kindText(kind)}`;
}

export function kindText({ group, version, kind }: ServedKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

function applicationOf(applying: Applying, shape: MergeSchema, live: Live, convert: Convert): ApplyRequest {
  const { api, target, kind, intent, options } = applying;
  const writer = { ...writerOf(api, target, options, 'Apply'), apiVersion: kind.apiVersion };
  const now = timestamp(api.clock);
  const untracked = untrackedBy(target);
  const application = {
    versions: versionsOf(api, target, convert),
    live: live.json,
    owners: live.owners,
    intent: intent.value,
    writer,
    force: options.force ?? false,
    untracked,
    now,
  };
  if (live.isNew || live.owners.length > 0) return application;
  // Whatever an object says that nobody owns belongs to somebody from now on, so that the apply does not silently take it.
  const blank = parseJson(Buffer.from(kind.definition.schema.write(kind.blank))).value;
  const said = changesByVersion(() => compareObjects(shape, blank, live.json, 'json'), untracked);
  const first = { ...writer, manager: 'before-first-apply', operation: 'Update' as const };
  return { ...application, owners: managersAfterUpdate([], first, said, now) };
}

/** A client that has left notes on an object does not quarrel with itself. */
function resolveConflicts({ api }: Applying, shape: MergeSchema, application: ApplyRequest): ApplyResult {
  try {
    return structuredApply(application);
  } catch (error) {
    const { manager } = application.writer;
    if (!(error instanceof ApplyConflict) || manager !== clientThatLeavesNotes) throw error;
    const { lastAppliedConfiguration } = api.dialect.annotations;
    const left = conflictsBeyondNote(error.conflicts, shape, application.live, lastAppliedConfiguration);
    if (left.length > 0) throw new ApplyConflict(left);
    return structuredApply({ ...application, force: true });
  }
}
