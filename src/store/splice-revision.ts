// Inserts a revision into the gap of an encoded object (metadata.resourceVersion).
import type { Draft, Revision, StoredObject } from './store.ts';

/** The stored object that results from committing a draft at a revision. */
export function spliceRevision(draft: Draft, key: string, revision: Revision): StoredObject {
  return stored(draft, key, revision, draft.json, 0);
}

/** A stored object with another revision: the last state of a deleted object carries the deletion's revision. */
export function replaceRevision(object: StoredObject, revision: Revision): StoredObject {
  return stored(object, object.key, revision, object.json, object.revisionLength);
}

function stored(
  draft: Draft,
  key: string,
  revision: Revision,
  json: Buffer,
  replacedLength: number,
): StoredObject {
  const digits = String(revision);
  const at = draft.revisionAt;
  const spliced = Buffer.allocUnsafe(json.length - replacedLength + digits.length);
  json.copy(spliced, 0, 0, at);
  spliced.write(digits, at, 'latin1');
  json.copy(spliced, at + digits.length, at + replacedLength);
  return {
    key,
    revision,
    json: spliced,
    revisionAt: at,
    revisionLength: digits.length,
    itemAt: draft.itemAt,
    labels: draft.labels,
    fields: draft.fields,
    mark: draft.mark,
    expiresAt: draft.expiresAt,
  };
}
