import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectMetadata } from '../api-object.ts';
import { dedupOwnerReferences } from './owner-references.ts';

const owner = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'K', name, uid });

test('an owner listed twice is dropped with a warning that names its UID', () => {
  const meta: ObjectMetadata = { ownerReferences: [owner('n', 'u2'), owner('n', 'u2'), owner('n2', 'u2')] };
  assert.match(dedupOwnerReferences(meta)!, /please fix your requests; duplicate UID\(s\) observed: u2$/);
  assert.deepEqual(meta.ownerReferences, [owner('n', 'u2'), owner('n2', 'u2')]);
});

test('the warning for a duplicate owner in a patch says when it was found', () => {
  const meta: ObjectMetadata = {
    ownerReferences: ['u2', 'u1', 'u2', 'u1', 'u2'].map((uid) => owner('n', uid)),
  };
  const warning = dedupOwnerReferences(meta, true)!;
  assert.match(warning, /duplicate entries after mutating admission happens; .* observed: u2, u1, u2$/);
});

test('owner references that differ in any field are kept', () => {
  const meta: ObjectMetadata = {
    ownerReferences: [owner('n', 'u'), { ...owner('n', 'u'), controller: false }],
  };
  assert.equal(dedupOwnerReferences(meta), undefined);
  assert.equal(meta.ownerReferences!.length, 2);
});
