import type { Draft, Revision, StoredObject } from './store.ts';

/** The draft as it stands in the store once it has been given a revision. */
export function splice(draft: Draft, key: string, revision: Revision): StoredObject {
  return stored(draft, key, revision, draft.json, 0);
}

/** A stored object under another revision: the last state of a deleted object carries the deletion's. */
export function respliced(object: StoredObject, revision: Revision): StoredObject {
  return stored(object, object.key, revision, object.json, object.revisionLength);
}

function stored(draft: Draft, key: string, revision: Revision, json: Buffer, replaced: number): StoredObject {
  const digits = String(revision);
  const at = draft.revisionAt;
  const spliced = Buffer.allocUnsafe(json.length - replaced + digits.length);
  json.copy(spliced, 0, 0, at);
  spliced.write(digits, at, 'latin1');
  json.copy(spliced, at + digits.length, at + replaced);
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
