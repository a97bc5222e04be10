// Storage codec: encodes objects for the store, and decodes stored objects in a version of their kind (`resource`).
// Every stored object has the fingerprint of the schema that encoded it. If that is the fingerprint of the current
// schema, its bytes are served as they are; otherwise they are decoded and re-encoded first. `resource.stored` is the
// storage version; a Draft is an encoded object that the store has not given a revision yet.

import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../../codec/json/parse.ts';
import { objectTooLarge } from '../../errors/catalogue.ts';
import { cutOutFieldSets, decodeCanonical } from '../../schema/decode-canonical.ts';
import { holdsFreeJson } from '../../schema/free-json.ts';
import type { Draft, Revision, StoredObject } from '../../store/store.ts';
import { encodePairs } from '../../store/stored-object.ts';
import type { ApiObject } from '../api-object.ts';
import { openBrace, type ServedKind, type ServedResource } from '../registry.ts';
import { convert, mapMaybePromise } from './convert.ts';
import { Unreadable } from './unreadable.ts';

/**
 * The size limit of a stored object, managedFields included, for kinds without a smaller one (`maxBytes`). With upstream it is
 * the 1.5 MiB of an etcd request, in Protobuf.
 */
const maxObjectBytes = 2 * 1024 * 1024;

export interface DraftContext {
  readonly clock: Clock;
  /** How long an Event lives, in milliseconds. */
  readonly eventTtl: number;
}

/**
 * Encodes an object in the storage version of its kind. Throws 413 if it is too large. Returns a promise only if a
 * conversion webhook is called.
 */
export function encodeDraft(
  context: DraftContext,
  resource: ServedResource,
  object: ApiObject,
): Draft | Promise<Draft> {
  const { stored } = resource;
  if (stored === resource) return encodeStorageDraft(context, stored, object);
  return mapMaybePromise(convert(object, resource, stored), (converted) =>
    encodeStorageDraft(context, stored, converted),
  );
}

/** Encodes an object of the storage version, with its expiry. Throws 413 if it is too large. */
function encodeStorageDraft(context: DraftContext, stored: ServedResource, object: ApiObject): Draft {
  const draft = encodeDraftInVersion(stored, object);
  if (draft.json.length > maxObjectBytes) throw objectTooLarge(draft.json.length, maxObjectBytes);
  if (!stored.definition.strategy.expires) return draft;
  return { ...draft, expiresAtMs: context.clock.now() + context.eventTtl };
}

/** The size limit of kinds that a controller of the server decodes and writes, on the serving thread. */
export const maxReconciledBytes = 256 * 1024;

/** Enforces the kind's own size limit on client writes; what the server adds may exceed it. */
export function assertWithinKindLimit({ definition: { maxBytes } }: ServedResource, { json }: Draft): void {
  if (maxBytes !== undefined && json.length > maxBytes) throw objectTooLarge(json.length, maxBytes);
}

/** Encodes an object that is in the version of `resource`, without conversion. */
export function encodeDraftInVersion(
  { definition, listItemOffset }: ServedResource,
  object: ApiObject,
): Draft {
  const { schema } = definition;
  const { json, revisionOffset } = schema.encode(object);
  return {
    json,
    revisionOffset,
    listItemOffset,
    labels: encodePairs(object.metadata.labels),
    selectableFields: encodePairs(definition.selectableFields?.(object)),
    schemaFingerprint: schema.fingerprint,
  };
}

/**
 * The result of a dry run: the object as it would be stored, with the revision of the object it would replace, or with
 * the resourceVersion of the request for a new object.
 */
export function dryRunResult(key: string, draft: Draft, resourceVersion?: Revision | string): StoredObject {
  const head = draft.json.subarray(0, draft.revisionOffset);
  const tail = draft.json.subarray(draft.revisionOffset);
  if (resourceVersion === undefined || resourceVersion === '') {
    // A new object has no revision yet: cuts out the whole field, from its name to the comma after it.
    const fieldStartLength = '"resourceVersion":"'.length;
    const json = Buffer.concat([head.subarray(0, -fieldStartLength), tail.subarray('",'.length)]);
    return { ...draft, key, json, revision: 0, revisionLength: 0 };
  }
  const text = Buffer.from(JSON.stringify(String(resourceVersion)).slice(1, -1));
  const json = Buffer.concat([head, text, tail]);
  // The resourceVersion of a client need not be a number.
  const revision = Number(resourceVersion);
  return {
    ...draft,
    key,
    json,
    revision: Number.isSafeInteger(revision) ? revision : 0,
    revisionLength: text.length,
  };
}

/** A stored object, or an item of a list, which carries no revision. */
type Stored = Pick<StoredObject, 'key' | 'json'> & {
  readonly revision?: Revision;
  readonly schemaFingerprint?: string;
};

/**
 * Decodes a stored object in the version of `resource`. Throws Unreadable if the schema cannot decode the bytes. If a
 * webhook converts the versions of this kind, the caller has converted `stored` before (convert-stored.ts).
 */
export function decodeStored(resource: ServedResource, stored: Stored): ApiObject {
  return reportUnreadable(stored, () => decodeInVersion(resource, stored));
}

/** A decoded object in the version that it was written in (`from`). */
export interface WrittenObject {
  readonly object: ApiObject;
  readonly from: ServedResource;
}

/** Decodes a stored object in the version that it was written in. Throws Unreadable. */
export function decodeWritten(resource: ServedResource, stored: Stored): WrittenObject {
  return reportUnreadable(stored, () => decodeAsWritten(resource, stored));
}

/** Runs `decode`, and turns every error of it into Unreadable, which names the object. */
function reportUnreadable<T>(stored: Stored, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    const { key, revision = 0 } = stored;
    const problem = error instanceof Error ? error.message : String(error);
    const decodingProblem =
      error instanceof JsonSyntaxError ? `couldn't get version/kind; json parse error: ${problem}` : problem;
    throw new Unreadable(key, revision, decodingProblem);
  }
}

/** Like `decodeStored`, but throws the decoding error itself. */
function decodeInVersion(resource: ServedResource, stored: Stored): ApiObject {
  const { object, from } = decodeAsWritten(resource, stored);
  const converted = convert(object, from, resource);
  if (converted instanceof Promise) throw new Error(`${stored.key} has not been converted`);
  return converted;
}

/** Like `decodeWritten`, but throws the decoding error itself. */
function decodeAsWritten(
  resource: ServedResource,
  { json, schemaFingerprint }: Pick<Stored, 'json' | 'schemaFingerprint'>,
): WrittenObject {
  const writtenBy = [resource, resource.stored].find(
    ({ definition }) => schemaFingerprint === definition.schema.fingerprint,
  );
  // Faster than schema.decode, for JSON that this schema has written; undefined if it would lose information.
  const decoded = writtenBy && decodeCanonical(writtenBy.definition.schema, json.toString());
  if (decoded) return { object: setTypeMeta(decoded, writtenBy), from: writtenBy };
  const value = parseStored(resource.stored, json);
  const from = writtenBy ?? writtenVersion(resource, value);
  return { object: setTypeMeta(from.definition.schema.decode(value).object, from), from };
}

/**
 * Parses the JSON of a stored object. `fieldsV1` of managedFields, which is large and rarely read, stays text unless the
 * schema holds free-form JSON.
 */
export function parseStored({ definition: { schema } }: ServedKind, json: Buffer | string): JsonObject {
  const options = holdsFreeJson(schema) ? {} : { unparsedKey: 'fieldsV1' };
  return parseJson(json, options).value as JsonObject;
}

/** The version that a parsed object names: a custom resource may be stored in any of its versions. */
function writtenVersion({ versions, stored }: ServedResource, { apiVersion }: JsonObject): ServedResource {
  return versions.find((version) => version.apiVersion === apiVersion) ?? stored;
}

/** Sets apiVersion and kind. */
function setTypeMeta(object: ApiObject, { apiVersion, kind }: ServedResource): ApiObject {
  object.apiVersion = apiVersion;
  object.kind = kind;
  return object;
}

/**
 * Decodes a stored object in its storage version, for callers that only read it. JSON that the current schema has written
 * needs no decoding by the schema: JSON.parse suffices. Numbers beyond double precision are rounded; bulk data (the schemas
 * of a CustomResourceDefinition) and the field sets of managedFields are replaced by placeholders.
 */
export function decodeLazily(
  resource: ServedResource,
  stored: Stored & Pick<StoredObject, 'schemaFingerprint'>,
): ApiObject {
  if (isCurrentEncoding(resource.stored, stored.schemaFingerprint)) {
    const { bulk } = resource.stored.definition;
    try {
      const json = bulk ? bulk.takeOut(stored.json).jsonWithPlaceholders : stored.json;
      // Field sets may be larger than the rest of the object.
      const text = json.toString();
      const mayHaveOthers = holdsFreeJson(resource.stored.definition.schema);
      return JSON.parse(mayHaveOthers ? text : cutOutFieldSets(text).rest) as ApiObject;
    } catch {
      // decodeStored reports the error.
    }
  }
  return decodeStored(resource.stored, stored);
}

/** A stored object with placeholders for its bulk data. */
export interface ObjectWithoutBulk {
  readonly object: ApiObject;
  /** Puts the bulk data back into a draft of the changed object. */
  complete(draft: Draft): Draft;
}

/** Decodes an object without its bulk data. Undefined if its kind has none, or another schema version has written it. */
export function readWithoutBulk(
  resource: ServedResource,
  stored: StoredObject,
): ObjectWithoutBulk | undefined {
  const { bulk } = resource.definition;
  if (!bulk || resource.stored !== resource || !isCurrentEncoding(resource, stored.schemaFingerprint))
    return undefined;
  const { jsonWithPlaceholders, parts } = bulk.takeOut(stored.json);
  const { key, schemaFingerprint, revision } = stored;
  return {
    object: decodeStored(resource, { key, schemaFingerprint, revision, json: jsonWithPlaceholders }),
    complete: (draft) => ({ ...draft, json: bulk.putBack({ jsonWithPlaceholders: draft.json, parts }) }),
  };
}

/** Like decodeLazily, but returns undefined if that throws. */
export function tryDecodeLazily(resource: ServedResource, stored: StoredObject): ApiObject | undefined {
  try {
    return decodeLazily(resource, stored);
  } catch {
    return undefined;
  }
}

/** The object of decodeWritten; undefined if that throws. */
export function tryDecodeWritten(resource: ServedResource, stored: StoredObject): ApiObject | undefined {
  try {
    return decodeAsWritten(resource, stored).object;
  } catch {
    return undefined;
  }
}

/** Like decodeStored, but returns undefined if that throws. */
export function tryDecodeStored(resource: ServedResource, stored: StoredObject): ApiObject | undefined {
  try {
    return decodeInVersion(resource, stored);
  } catch {
    return undefined;
  }
}

/** Whether the current schema of this version has written the stored bytes, so they can be served as they are. */
export function isCurrentEncoding({ definition }: ServedResource, schemaFingerprint: string): boolean {
  return schemaFingerprint === definition.schema.fingerprint;
}

/** The JSON of a stored object in the version of `resource`. Throws Unreadable. */
export function storedJsonInVersion(
  resource: ServedResource,
  stored: Stored & Pick<StoredObject, 'schemaFingerprint'>,
): Buffer {
  if (isCurrentEncoding(resource, stored.schemaFingerprint)) return stored.json;
  return Buffer.from(resource.definition.schema.write(decodeStored(resource, stored)));
}

/** The JSON that has the metadata of a stored object. It is the same in all versions of a kind. Throws Unreadable. */
export function jsonWithMetadata(
  resource: ServedResource,
  stored: Stored & Pick<StoredObject, 'schemaFingerprint'>,
): Buffer {
  return isCurrentEncoding(resource.stored, stored.schemaFingerprint)
    ? stored.json
    : storedJsonInVersion(resource, stored);
}

/** The JSON of a stored object as a list item: without kind and apiVersion, which come first in an object. */
export function listItemJson(
  resource: ServedResource,
  stored: Stored & Pick<StoredObject, 'schemaFingerprint'>,
): Buffer {
  const json = storedJsonInVersion(resource, stored);
  if (!json.subarray(0, resource.listItemOffset).equals(resource.itemStart)) return json;
  return Buffer.concat([openBrace, json.subarray(resource.listItemOffset)]);
}
