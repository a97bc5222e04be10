// Stored objects as all backends encode them: the key, the revision in the JSON, and pairs of labels and fields.
import { type Draft, InvalidKey, type Revision, type StoredObject } from './store.ts';

/** LMDB's maximum key size, less the 8-byte timestamp that the expiry index puts in front. */
export const MAX_KEY_BYTES = 1970;

/** Throws InvalidKey for keys that some backend cannot store, or cannot distinguish from others. */
export function assertValidKey(prefix: string, key: string): void {
  if (key.length <= prefix.length + 1 || !key.startsWith(prefix) || key[prefix.length] !== '/') {
    throw new InvalidKey(
      `the key ${JSON.stringify(key)} is not one of the resource ${JSON.stringify(prefix)}`,
    );
  }
  // A UTF-16 code unit takes at most three bytes in UTF-8, so short keys need not be measured.
  if (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new InvalidKey(`the key is ${Buffer.byteLength(key)} bytes long, more than ${MAX_KEY_BYTES}`);
  }
  if (unstorable.test(key))
    throw new InvalidKey(`the key ${JSON.stringify(key)} has a character that cannot be stored`);
}

/** LMDB terminates keys with NUL; a lone surrogate has no UTF-8 encoding. */
const unstorable = /[\0\p{Surrogate}]/u;

/** The stored object that results from committing a draft at a revision. */
export function spliceRevision(draft: Draft, key: string, revision: Revision): StoredObject {
  return insertRevision(draft, key, revision, 0);
}

/** A stored object with another revision: the last state of a deleted object carries the deletion's revision. */
export function replaceRevision(object: StoredObject, revision: Revision): StoredObject {
  return insertRevision(object, object.key, revision, object.revisionLength);
}

/** `replacedLength`: the number of digits of a previous revision that the JSON has in this place. */
function insertRevision(draft: Draft, key: string, revision: Revision, replacedLength: number): StoredObject {
  const { json, revisionOffset } = draft;
  const digits = String(revision);
  const spliced = Buffer.allocUnsafe(json.length - replacedLength + digits.length);
  json.copy(spliced, 0, 0, revisionOffset);
  spliced.write(digits, revisionOffset, 'latin1');
  json.copy(spliced, revisionOffset + digits.length, revisionOffset + replacedLength);
  return {
    key,
    revision,
    json: spliced,
    revisionOffset,
    revisionLength: digits.length,
    listItemOffset: draft.listItemOffset,
    labels: draft.labels,
    selectableFields: draft.selectableFields,
    schemaFingerprint: draft.schemaFingerprint,
    expiresAtMs: draft.expiresAtMs,
  };
}

/**
 * Encodes pairs as `key\0value\0key\0value\0…`, sorted by key. Equal sets give equal strings, so a selector is
 * evaluated once per distinct string instead of once per object.
 */
export function encodePairs(pairs: Readonly<Record<string, string>> | undefined): string {
  if (!pairs) return '';
  const keys = Object.keys(pairs);
  if (keys.length === 0) return '';
  keys.sort();
  let encoded = '';
  for (const key of keys) encoded += `${key}\0${withoutNul(pairs[key] ?? '')}\0`;
  return encoded;
}

export function decodePairs(encoded: string): Map<string, string> {
  const pairs = new Map<string, string>();
  if (encoded === '') return pairs;
  const parts = encoded.split('\0');
  for (let i = 0; i + 1 < parts.length; i += 2) pairs.set(parts[i]!, parts[i + 1]!);
  return pairs;
}

/** The value of one pair; undefined if there is none with this key. */
export function pairValue(encoded: string, key: string): string | undefined {
  for (let start = 0; start < encoded.length; ) {
    const keyEnd = encoded.indexOf('\0', start);
    const valueEnd = encoded.indexOf('\0', keyEnd + 1);
    if (keyEnd === -1 || valueEnd === -1) return undefined;
    if (keyEnd - start === key.length && encoded.startsWith(key, start))
      return encoded.slice(keyEnd + 1, valueEnd);
    start = valueEnd + 1;
  }
  return undefined;
}

/** A NUL would shift the pairs after it. No selector can contain one. */
function withoutNul(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}
