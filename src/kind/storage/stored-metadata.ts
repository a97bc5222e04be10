// Reads and changes the metadata of a stored object without decoding the rest of its JSON, which may be large.

import { endOfContainer, isIncomplete, parseJson } from '../../codec/json/parse.ts';
import { cutOutFieldSets } from '../../schema/decode-canonical.ts';
import type { Draft, StoredObject } from '../../store/store.ts';
import { encodePairs } from '../../store/stored-object.ts';
import type { ObjectMetadata } from '../api-object.ts';
import { ObjectMeta as ObjectMetaType } from '../meta/object-meta.ts';
import type { ServedResource } from '../registry.ts';

/** The metadata without managedFields and labels, which may be most of it: the store has the labels apart from the JSON. */
export type StoredMetadata = Omit<ObjectMetadata, 'managedFields' | 'labels'>;

/** The metadata of a stored object, which has the same fields in all versions. Undefined if it cannot be parsed. */
export function tryReadMetadata({
  json,
  revisionOffset,
}: Pick<StoredObject, 'json' | 'revisionOffset'>): StoredMetadata | undefined {
  const start = metadataOffset(json, revisionOffset);
  if (start === undefined) return undefined;
  try {
    // Parses no field sets of managedFields and no labels, which are large: a parser creates very many values for them.
    const rest = cutOutLabels(cutOutFieldSets(json.toString('utf8', start)).rest);
    const metadataJson = rest.slice(0, endOfContainer(rest, 0));
    const { managedFields: _, labels: __, ...metadata } = JSON.parse(metadataJson) as ObjectMetadata;
    return metadata;
  } catch {
    return undefined;
  }
}

const labelsStart = '"labels":{';

/** Replaces the labels by 0, in text that starts with the metadata. Quotes in strings are escaped, so the match is a field. */
function cutOutLabels(text: string): string {
  const index = text.indexOf(labelsStart);
  // The labels of another part, such as a template, follow the end of the metadata.
  if (index < 0 || !isIncomplete(text.slice(1, index))) return text;
  const start = index + labelsStart.length - 1;
  return `${text.slice(0, start)}0${text.slice(endOfContainer(text, start))}`;
}

/**
 * A draft (an object encoded for the store) with changed metadata and all other bytes as they are stored. Undefined if
 * another schema version has encoded the object: then it must be decoded and encoded as a whole.
 */
export function tryChangeMetadata(
  { stored: { definition } }: ServedResource,
  stored: StoredObject,
  change: (metadata: ObjectMetadata) => void,
): Draft | undefined {
  const { json, revisionOffset, listItemOffset, selectableFields, schemaFingerprint, expiresAtMs } = stored;
  if (schemaFingerprint !== definition.schema.fingerprint) return undefined;
  const start = metadataOffset(json, revisionOffset);
  if (start === undefined) return undefined;
  const text = json.toString('utf8', start);
  const oldJson = text.slice(0, endOfContainer(text, 0));
  const { object: metadata } = ObjectMetaType.decode(parseJson(oldJson, { unparsedKey: 'fieldsV1' }).value);
  change(metadata);
  const encoded = ObjectMetaType.encodeMetadata(metadata);
  const tail = json.subarray(start + Buffer.byteLength(oldJson));
  return {
    json: Buffer.concat([json.subarray(0, start), encoded.json, tail]),
    revisionOffset: start + encoded.revisionOffset,
    listItemOffset,
    labels: encodePairs(metadata.labels),
    selectableFields,
    schemaFingerprint,
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  };
}

const metadataStart = '"metadata":{';

/**
 * Where the metadata's `{` is; undefined if not found. The metadata holds the revision, so it is the last `"metadata":{`
 * before the revision: between the two are only strings, in which quotes are escaped.
 */
function metadataOffset(json: Buffer, revisionOffset: number): number | undefined {
  const start = json.lastIndexOf(metadataStart, revisionOffset);
  return start < 0 ? undefined : start + metadataStart.length - 1;
}
