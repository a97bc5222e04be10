// Tests of the owners of claims by the retention policy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnerReference } from '../../kind/api-object.ts';
import { claimOwnerReferences } from './claims.ts';

const reference = (kind: string, name: string, uid: string): OwnerReference => ({
  apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
const set = reference('StatefulSet', 'web', 's');
const pod = reference('Pod', 'web-0', 'p');
const other = { ...reference('Other', 'x', 'o'), controller: false };

function ownersOf(current: OwnerReference[], whenDeleted: string, whenScaled: string, isScaledDown = false) {
  const policy = { whenDeleted, whenScaled } as Parameters<typeof claimOwnerReferences>[2];
  return claimOwnerReferences(current, { set, pod }, policy, isScaledDown);
}

test('retained claims have no owner', () => {
  assert.equal(ownersOf([], 'Retain', 'Retain'), undefined);
  assert.deepEqual(ownersOf([set, other], 'Retain', 'Retain'), [other]);
});

test('claims that are deleted with the StatefulSet are owned by it', () => {
  assert.deepEqual(ownersOf([other], 'Delete', 'Retain'), [other, set]);
  assert.equal(ownersOf([set], 'Delete', 'Retain', true), undefined);
  assert.deepEqual(ownersOf([{ ...set, controller: false }], 'Delete', 'Retain'), [set]);
});

test('claims that are deleted when their pod is removed are owned by the pod then', () => {
  assert.equal(ownersOf([], 'Retain', 'Delete'), undefined);
  assert.deepEqual(ownersOf([], 'Retain', 'Delete', true), [pod]);
  assert.deepEqual(ownersOf([set], 'Delete', 'Delete', true), [pod]);
  assert.deepEqual(ownersOf([pod], 'Delete', 'Delete'), [set]);
});

test('claims of another controller or of an earlier owner are left alone', () => {
  const rival = { ...other, controller: true };
  assert.equal(ownersOf([rival], 'Delete', 'Delete'), undefined);
  assert.deepEqual(ownersOf([rival, set], 'Delete', 'Delete'), [rival]);
  assert.equal(ownersOf([{ ...pod, uid: 'earlier' }], 'Delete', 'Delete'), undefined);
});
