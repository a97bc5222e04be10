// Conformance suite: builders and readers of test objects.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Change, Draft, Revision, Store, StoredObject, Write } from '../store.ts';
import { encodePairs } from '../stored-object.ts';

export interface TestContent {
  readonly data?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;
  readonly expiresAt?: number;
}

/** A draft as a write verb would build it. */
export function draftOf(content: TestContent = {}): Draft {
  const head = '{"kind":"Thing","apiVersion":"v1",';
  const labels = content.labels ? `"labels":${JSON.stringify(content.labels)},` : '';
  const textBeforeRevision = `${head}"metadata":{${labels}"resourceVersion":"`;
  return {
    json: Buffer.from(`${textBeforeRevision}"},"data":${JSON.stringify(content.data ?? '')}}`),
    revisionOffset: Buffer.byteLength(textBeforeRevision),
    listItemOffset: head.length,
    labels: encodePairs(content.labels),
    selectableFields: encodePairs(content.fields),
    schemaFingerprint: 'fingerprint-1',
    expiresAtMs: content.expiresAt,
  };
}

/** A write to a key whose resource prefix ends at the first slash. */
export function writeTo(key: string, draft: Draft | null = draftOf(), expectedRevision?: Revision): Write {
  const prefix = key.slice(0, key.indexOf('/'));
  return expectedRevision === undefined ? { prefix, key, draft } : { prefix, key, draft, expectedRevision };
}

export function put(
  store: Store,
  key: string,
  content: TestContent = {},
  expectedRevision?: Revision,
): Promise<Change> {
  return store.commit(writeTo(key, draftOf(content), expectedRevision));
}

export function remove(store: Store, key: string, expectedRevision?: Revision): Promise<Change> {
  return store.commit(writeTo(key, null, expectedRevision));
}

/** The revision and data in the object's JSON. Asserts that the JSON agrees with the stored metadata. */
export function parsed(object: StoredObject): { revision: Revision; data: string } {
  const json = JSON.parse(object.json.toString());
  const { revisionOffset, revisionLength } = object;
  const spliced = object.json.toString('utf8', revisionOffset, revisionOffset + revisionLength);
  assert.equal(json.metadata.resourceVersion, String(object.revision));
  assert.equal(spliced, String(object.revision));
  assert.equal(object.labels, encodePairs(json.metadata.labels));
  assert.equal(object.schemaFingerprint, 'fingerprint-1');
  assert.equal(`{${object.json.toString('utf8', object.listItemOffset)}`.startsWith('{"metadata":'), true);
  return { revision: object.revision, data: json.data };
}

export function dataOf(object: StoredObject | undefined): string | undefined {
  return object && parsed(object).data;
}

/** The comparable part of a change. */
export function summary(change: Change): unknown[] {
  const { revision, type, prefix, key, object, previous } = change;
  assert.equal(object.revision, revision);
  return [revision, type, prefix, key, dataOf(object), previous && parsed(previous)];
}

/** Waits, one event loop turn at a time, until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}
