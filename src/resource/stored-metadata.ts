import { endOfEnclosing, endOfObject } from '../codec/json/parse.ts';
import { withoutFieldSets } from '../schema/adopt.ts';
import type { StoredObject } from '../store/store.ts';
import type { ObjectMeta } from './definition.ts';

const metadataStart = '"metadata":{';

/** An object's metadata but for who owns its fields, which may be most of it. */
export type StoredMetadata = Omit<ObjectMeta, 'managedFields'>;

/**
 * The metadata of a stored object, which is the same in whatever version it was written; undefined where it cannot be read.
 * Nothing else of the object is parsed.
 */
export function storedMetadata({ json, revisionAt }: StoredObject): StoredMetadata | undefined {
  // The revision stands in it, and before that nothing of which this could be a part.
  const start = json.lastIndexOf(metadataStart, revisionAt);
  if (start < 0) return undefined;
  try {
    const { rest } = withoutFieldSets(json.toString('utf8', start + metadataStart.length - 1));
    const { managedFields: _, ...metadata } = JSON.parse(rest.slice(0, endOfObject(rest, 0))) as ObjectMeta;
    return metadata;
  } catch {
    return undefined;
  }
}

/** What of an object's metadata stands after its revision, its owner references among it. Throws where it cannot be read. */
export function metadataAfterRevision({ json, revisionAt, revisionLength }: StoredObject): StoredMetadata {
  const { rest } = withoutFieldSets(json.toString('utf8', revisionAt + revisionLength + 1));
  return JSON.parse(`{"":0${rest.slice(0, endOfEnclosing(rest))}`) as StoredMetadata;
}
