// Reads and changes the metadata of a stored object without decoding the rest.

import { endOfContainer, parseJson } from '../../codec/json/parse.ts';
import { cutOutFieldSets } from '../../schema/decode-canonical.ts';
import type { Draft, StoredObject } from '../../store/store.ts';
import { encodePairs } from '../../store/stored-object.ts';
import type { ObjectMetadata } from '../api-object.ts';
import { ObjectMeta as ObjectMetaType } from '../meta/object-meta.ts';
import type { ServedResource } from '../registry.ts';

const metadataStart = '"metadata":{';

/** The metadata without managedFields, which may be most of it and are rarely needed. */
export type StoredMetadata = Omit<ObjectMetadata, 'managedFields'>;

/**
 * The metadata of a stored object, whose fields are the same in all versions; undefined where it cannot be parsed.
 */
export function tryReadMetadata({
  json,
  revisionOffset,
}: Pick<StoredObject, 'json' | 'revisionOffset'>): StoredMetadata | undefined {
  // The metadata holds the revision, and nothing before the revision in it can contain this text.
  const start = json.lastIndexOf(metadataStart, revisionOffset);
  if (start < 0) return undefined;
  try {
    const { rest } = cutOutFieldSets(json.toString('utf8', start + metadataStart.length - 1));
    const { managedFields: _, ...metadata } = JSON.parse(
      rest.slice(0, endOfContainer(rest, 0)),
    ) as ObjectMetadata;
    return metadata;
  } catch {
    return undefined;
  }
}

/**
 * A draft of the object with changed metadata, without decoding the rest.
 * Undefined where another schema version has written the object.
 */
export function tryChangeMetadata(
  { stored: { definition } }: ServedResource,
  stored: StoredObject,
  change: (metadata: ObjectMetadata) => void,
): Draft | undefined {
  const { json, revisionOffset, listItemOffset, selectableFields, schemaFingerprint, expiresAtMs } = stored;
  const start = json.lastIndexOf(metadataStart, revisionOffset) + metadataStart.length - 1;
  if (schemaFingerprint !== definition.schema.fingerprint || start < metadataStart.length) return undefined;
  const text = json.toString('utf8', start);
  const oldMetadata = text.slice(0, endOfContainer(text, 0));
  const { object: metadata } = ObjectMetaType.decode(
    parseJson(oldMetadata, { unparsedKey: 'fieldsV1' }).value,
  );
  change(metadata);
  const written = ObjectMetaType.encodeMetadata(metadata);
  const tail = json.subarray(start + Buffer.byteLength(oldMetadata));
  return {
    json: Buffer.concat([json.subarray(0, start), written.json, tail]),
    revisionOffset: start + written.revisionOffset,
    listItemOffset,
    labels: encodePairs(metadata.labels),
    selectableFields,
    schemaFingerprint,
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  };
}
