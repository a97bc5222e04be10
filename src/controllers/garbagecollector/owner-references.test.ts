// Tests of reading ownerReferences from stored bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MonitoredObject } from '../runtime/resource-monitor.ts';
import { ownerReferencesJson, parseOwnerReferences } from './owner-references.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'ö]}"', uid: 'u1' };

/** The part of a stored object that these functions read. */
function stored(metadata: object, rest: object = {}): MonitoredObject {
  const text = JSON.stringify({
    kind: 'Pod',
    metadata: { uid: 'u', resourceVersion: '7', ...metadata },
    ...rest,
  });
  const json = Buffer.from(text);
  return { json, revisionOffset: json.indexOf('"7"') + 1, revisionLength: 1 } as MonitoredObject;
}

test('corrupt references are left out', () => {
  assert.deepEqual(parseOwnerReferences(JSON.stringify([null, owner])), [owner]);
  assert.deepEqual(parseOwnerReferences('[{]'), []);
});

test('owners are read from metadata.ownerReferences only', () => {
  const annotations = { a: '"ownerReferences":[{}]', ownerReferences: '[', 'x}': '}}\\' };
  const within = { spec: { template: { metadata: { ownerReferences: [owner] } } } };
  assert.equal(ownerReferencesJson(stored({})), '');
  assert.equal(ownerReferencesJson(stored({ annotations })), '');
  assert.equal(ownerReferencesJson(stored({ annotations }, within)), '');
  for (const rest of [{}, within]) {
    const text = ownerReferencesJson(stored({ annotations, ownerReferences: [owner, owner] }, rest));
    assert.deepEqual(parseOwnerReferences(text), [owner, owner]);
  }
});
