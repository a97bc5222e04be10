import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../../codec/json/parse.ts';
import { objectTooLarge } from '../../errors/catalogue.ts';
import { adopt } from '../../schema/adopt.ts';
import { holdsFreeJson } from '../../schema/free-json.ts';
import { encodePairs } from '../../store/pairs.ts';
import type { Draft, Revision, StoredObject } from '../../store/store.ts';
import type { ApiObject } from '../api-object.ts';
import { openBrace, type ServedKind, type ServedResource } from '../registry.ts';
import { convert, going } from './convert.ts';
import { Unreadable } from './unreadable.ts';

/** As much as a body may hold; what owners its fields have comes on top. */
const largestObject = 6 * 1024 * 1024;

/** What a draft depends on beside its object: when it expires. */
export interface DraftContext {
  readonly clock: Clock;
  /** How long an Event lives, in milliseconds. */
  readonly eventTtl: number;
}

/** An object as the store takes it. Throws where it is too large. A promise only where a webhook has to be asked. */
export function draftOf(
  context: DraftContext,
  resource: ServedResource,
  object: ApiObject,
): Draft | Promise<Draft> {
  const { stored } = resource;
  return going(convert(object, resource, stored), (inStoredVersion) => {
    const draft = draftIn(stored, inStoredVersion);
    if (draft.json.length > largestObject) throw objectTooLarge(draft.json.length, largestObject);
    if (!stored.definition.strategy.expires) return draft;
    return { ...draft, expiresAt: context.clock.now() + context.eventTtl };
  });
}

/** Throws where a client may not write so large an object of this kind. What the server itself adds may make it larger. */
export function refuseTooLarge({ definition: { mostBytes } }: ServedResource, { json }: Draft): void {
  if (mostBytes !== undefined && json.length > mostBytes) throw objectTooLarge(json.length, mostBytes);
}

/** An object of a version as it would be stored in that. */
export function draftIn({ definition, itemAt }: ServedResource, object: ApiObject): Draft {
  const { schema } = definition;
  const { json, revisionAt } = schema.encode(object);
  return {
    json,
    revisionAt,
    itemAt,
    labels: encodePairs(object.metadata.labels),
    fields: encodePairs(definition.selectableFields?.(object)),
    mark: schema.mark,
  };
}

/**
 * What a dry run answers: the object as it would be, with the revision of the one it would replace, or with the
 * resourceVersion that a new object came with, whatever that says.
 */
export function dryRunResult(key: string, draft: Draft, resourceVersion?: Revision | string): StoredObject {
  const head = draft.json.subarray(0, draft.revisionAt);
  const tail = draft.json.subarray(draft.revisionAt);
  if (resourceVersion === undefined || resourceVersion === '') {
    // A new object has no revision yet: the whole field goes, from its name to the comma after it.
    const field = '"resourceVersion":"'.length;
    const json = Buffer.concat([head.subarray(0, -field), tail.subarray('",'.length)]);
    return { ...draft, key, json, revision: 0, revisionLength: 0 };
  }
  const text = Buffer.from(JSON.stringify(String(resourceVersion)).slice(1, -1));
  const json = Buffer.concat([head, text, tail]);
  const revision = Number(resourceVersion);
  return {
    ...draft,
    key,
    json,
    revision: Number.isSafeInteger(revision) ? revision : 0,
    revisionLength: text.length,
  };
}

/**
 * The JSON of a stored object, to be read by its schema or patched. Who owns what, which is much and seldom looked at, is
 * left as text where no other JSON is kept as it came.
 */
export function parseStored({ definition: { schema } }: ServedKind, json: Buffer | string): JsonObject {
  const options = holdsFreeJson(schema) ? {} : { asText: 'fieldsV1' };
  return parseJson(json, options).value as JsonObject;
}

/** A stored object in the version that it was written in. */
export interface WrittenObject {
  readonly object: ApiObject;
  readonly from: ServedResource;
}

function decodeAsWritten(
  resource: ServedResource,
  { json, mark }: Pick<Stored, 'json' | 'mark'>,
): WrittenObject {
  const writtenBy = [resource, resource.stored].find(({ definition }) => mark === definition.schema.mark);
  const adopted = writtenBy && adopt(writtenBy.definition.schema, json.toString());
  if (adopted) return { object: named(adopted, writtenBy), from: writtenBy };
  const value = parseStored(resource.stored, json);
  const from = writtenBy ?? versionIn(resource, value);
  return { object: named(from.definition.schema.decode(value).object, from), from };
}

/** Kinds that were learnt may have been stored in any of their versions. */
function versionIn({ versions, stored }: ServedResource, { apiVersion }: JsonObject): ServedResource {
  return versions.find((version) => version.apiVersion === apiVersion) ?? stored;
}

function named(object: ApiObject, { apiVersion, kind }: ServedResource): ApiObject {
  object.apiVersion = apiVersion;
  object.kind = kind;
  return object;
}

function decode(resource: ServedResource, stored: Stored): ApiObject {
  const { object, from } = decodeAsWritten(resource, stored);
  const converted = convert(object, from, resource);
  if (converted instanceof Promise) throw new Error(`${stored.key} has not been converted`);
  return converted;
}

/** A stored object, or an item of a list, which carries no revision. */
type Stored = Pick<StoredObject, 'key' | 'json'> & { readonly revision?: Revision; readonly mark?: string };

/**
 * A stored object as this version of its kind; where a webhook knows it in that version, it must have been asked (see
 * converted.ts). Throws Unreadable where the stored bytes say nothing that the kind's schema understands.
 */
export function decodeStored(resource: ServedResource, stored: Stored): ApiObject {
  return reading(stored, () => decode(resource, stored));
}

/** A stored object in the version that it was written in. Throws Unreadable. */
export function decodeWritten(resource: ServedResource, stored: Stored): WrittenObject {
  return reading(stored, () => decodeAsWritten(resource, stored));
}

function reading<T>(stored: Stored, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { key, revision = 0 } = stored;
    const problem = error instanceof Error ? error.message : String(error);
    const why =
      error instanceof JsonSyntaxError ? `couldn't get version/kind; json parse error: ${problem}` : problem;
    throw new Unreadable(key, revision, why);
  }
}

/**
 * A stored object in its stored version, only to be looked at. Bytes that are as the schema writes them now hold
 * everything that reading them by it would give, so that the engine's own parser will do. Numbers that JavaScript cannot
 * hold are rounded. What few look at is not there.
 */
export function decodeLazily(
  resource: ServedResource,
  stored: Stored & Pick<StoredObject, 'mark'>,
): ApiObject {
  if (isReady(resource.stored, stored.mark)) {
    const { bulk } = resource.stored.definition;
    try {
      const { rest } = bulk ? bulk.takeOut(stored.json) : { rest: stored.json };
      return JSON.parse(rest.toString()) as ApiObject;
    } catch {
      // What is wrong with it is said below.
    }
  }
  return decodeStored(resource.stored, stored);
}

/** A stored object without what few look at, and what becomes of it once the rest of it was changed. */
export interface ReadApart {
  readonly object: ApiObject;
  /** The draft of all of it, of one of the rest. */
  complete(draft: Draft): Draft;
}

/** Undefined for kinds of which everything is looked at, and for what was written by another schema than that of today. */
export function readApart(resource: ServedResource, stored: StoredObject): ReadApart | undefined {
  const { bulk } = resource.definition;
  if (!bulk || resource.stored !== resource || !isReady(resource, stored.mark)) return undefined;
  const { rest, parts } = bulk.takeOut(stored.json);
  const { key, mark, revision } = stored;
  return {
    object: decodeStored(resource, { key, mark, revision, json: rest }),
    complete: (draft) => ({ ...draft, json: bulk.putBack({ rest: draft.json, parts }) }),
  };
}

/** As glanceAt, but undefined where that throws. */
export function tryGlanceAt(resource: ServedResource, stored: StoredObject): ApiObject | undefined {
  try {
    return decodeLazily(resource, stored);
  } catch {
    return undefined;
  }
}

/** As decodeWritten, but undefined where that throws. */
export function tryDecodeWritten(resource: ServedResource, stored: StoredObject): ApiObject | undefined {
  try {
    return decodeAsWritten(resource, stored).object;
  } catch {
    return undefined;
  }
}

/** As decodeStored, but undefined where that throws. */
export function tryDecodeStored(resource: ServedResource, stored: StoredObject): ApiObject | undefined {
  try {
    return decode(resource, stored);
  } catch {
    return undefined;
  }
}

/** Whether the bytes are just what a client of this version reads. */
function isReady({ definition }: ServedResource, mark: string): boolean {
  return mark === definition.schema.mark;
}

/** The bytes of an object as this version of its kind. */
export function showStored(resource: ServedResource, stored: Stored & Pick<StoredObject, 'mark'>): Buffer {
  if (isReady(resource, stored.mark)) return stored.json;
  return Buffer.from(resource.definition.schema.write(decodeStored(resource, stored)));
}

/** An object as an item of a list: without its kind and version, which the list has said. */
export function itemOf(resource: ServedResource, stored: Stored & Pick<StoredObject, 'mark'>): Buffer {
  const whole = showStored(resource, stored);
  if (!whole.subarray(0, resource.itemAt).equals(resource.itemStart)) return whole;
  return Buffer.concat([openBrace, whole.subarray(resource.itemAt)]);
}
