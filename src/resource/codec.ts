import type { JsonObject } from '../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../codec/json/parse.ts';
import { objectTooLarge } from '../errors/catalogue.ts';
import { adopt } from '../schema/adopt.ts';
import { holdsFreeJson } from '../schema/free-json.ts';
import { encodePairs } from '../store/pairs.ts';
import type { Draft, Revision, StoredObject } from '../store/store.ts';
import type { Api } from './api.ts';
import type { ApiObject } from './definition.ts';
import type { ServedKind, ServedResource } from './registry.ts';
import { Unreadable } from './unreadable.ts';

/** As much as a body may hold; what owners its fields have comes on top. */
const largestObject = 6 * 1024 * 1024;

/** An object as the store takes it. Throws where it is too large. */
export function draftOf(api: Api, resource: ServedResource, object: ApiObject): Draft {
  const { stored } = resource;
  const { definition } = stored;
  const inStoredVersion = resource.toStored(object);
  const { json, revisionAt } = definition.schema.encode(inStoredVersion);
  if (json.length > largestObject) throw objectTooLarge(json.length, largestObject);
  return {
    json,
    revisionAt,
    itemAt: stored.itemAt,
    labels: encodePairs(object.metadata.labels),
    fields: encodePairs(definition.selectableFields?.(inStoredVersion)),
    mark: definition.schema.mark,
    ...(definition.strategy.expires && { expiresAt: api.clock.now() + api.eventTtl }),
  };
}

/** What a dry run answers: the object as it would be, with the revision of the one it would replace, if any. */
export function phantom(key: string, draft: Draft, revision?: Revision): StoredObject {
  const head = draft.json.subarray(0, draft.revisionAt);
  const tail = draft.json.subarray(draft.revisionAt);
  if (revision === undefined) {
    // A new object has no revision yet: the whole field goes, from its name to the comma after it.
    const field = '"resourceVersion":"'.length;
    const json = Buffer.concat([head.subarray(0, -field), tail.subarray('",'.length)]);
    return { ...draft, key, json, revision: 0, revisionLength: 0 };
  }
  const digits = String(revision);
  const json = Buffer.concat([head, Buffer.from(digits), tail]);
  return { ...draft, key, json, revision, revisionLength: digits.length };
}

/**
 * The JSON of a stored object, to be read by its schema or patched. Who owns what, which is much and seldom looked at, is
 * left as text where no other JSON is kept as it came.
 */
export function parseStored({ definition: { schema } }: ServedKind, json: Buffer | string): JsonObject {
  const options = holdsFreeJson(schema) ? {} : { asText: 'fieldsV1' };
  return parseJson(json, options).value as JsonObject;
}

/** The JSON of a stored object, parsed, as this version of its kind. */
function decode(resource: ServedResource, { json, mark }: Pick<Stored, 'json' | 'mark'>): ApiObject {
  const { stored } = resource;
  const { schema } = stored.definition;
  const adopted = mark === schema.mark ? adopt(schema, json.toString()) : undefined;
  const object = adopted ?? schema.decode(parseStored(stored, json)).object;
  object.apiVersion = stored.apiVersion;
  object.kind = stored.kind;
  return resource.fromStored(object);
}

/** A stored object, or an item of a list, which carries no revision. */
type Stored = Pick<StoredObject, 'key' | 'json'> & { readonly revision?: Revision; readonly mark?: string };

/** Throws Unreadable where the stored bytes say nothing that the kind's schema understands. */
export function decodeStored(resource: ServedResource, stored: Stored): ApiObject {
  try {
    return decode(resource, stored);
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
 * hold are rounded.
 */
export function glanceAt(resource: ServedResource, stored: Stored & Pick<StoredObject, 'mark'>): ApiObject {
  if (isReady(resource.stored, stored.mark)) {
    try {
      return JSON.parse(stored.json.toString()) as ApiObject;
    } catch {
      // What is wrong with it is said below.
    }
  }
  return decodeStored(resource.stored, stored);
}

/** As glanceAt, but undefined where that throws. */
export function tryGlanceAt(resource: ServedResource, stored: StoredObject): ApiObject | undefined {
  try {
    return glanceAt(resource, stored);
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

/** Whether the stored bytes are just what a client of this version reads. */
function isReady(resource: ServedResource, mark: string): boolean {
  return resource.stored === resource && mark === resource.definition.schema.mark;
}

/** The bytes of an object as this version of its kind. */
export function showStored(resource: ServedResource, stored: Stored & Pick<StoredObject, 'mark'>): Buffer {
  if (isReady(resource, stored.mark)) return stored.json;
  return Buffer.from(resource.definition.schema.write(decodeStored(resource, stored)));
}

const openBrace = Buffer.from('{');

/** An object as an item of a list: without its kind and version, which the list has said. */
export function itemOf(resource: ServedResource, stored: Stored & Pick<StoredObject, 'mark'>): Buffer {
  const whole = showStored(resource, stored);
  if (!whole.subarray(0, resource.itemAt).equals(resource.itemStart)) return whole;
  return Buffer.concat([openBrace, whole.subarray(resource.itemAt)]);
}
