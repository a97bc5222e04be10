// Tests of the release of ResourceClaims, and of the names of generated ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../apis/core/pod.ts';
import type { ResourceClaim } from '../../apis/resource/resourceclaim.ts';
import { planRelease } from './claim-release.ts';
import { claimNamePrefix } from './generated-claim.ts';

const pod = (uid: string, { phase = 'Running', node = 'n', isTerminating = false } = {}) =>
  ({
    metadata: { name: 'p', uid, ...(isTerminating && { deletionTimestamp: 't' }) },
    spec: { nodeName: node },
    status: { phase },
  }) as unknown as Pod;
const reference = (uid: string, resource = 'pods') => ({ apiGroup: '', resource, name: 'p', uid });
const plan = (
  { reservedFor = [] as object[], isAllocated = true, isTerminating = false, owner = '', finalizers = ['f'] },
  current: Pod | undefined,
) => {
  const ownerReferences = owner
    ? [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: owner, controller: true }]
    : [];
  const claim = {
    metadata: { name: 'c', finalizers, ownerReferences, ...(isTerminating && { deletionTimestamp: 't' }) },
    status: { ...(isAllocated && { allocation: {} }), reservedFor },
  } as unknown as ResourceClaim;
  const { reservedFor: remaining, ...rest } = planRelease(claim, 'f', (name) =>
    name === 'p' ? current : undefined,
  );
  const done = Object.entries(rest).flatMap(([step, isTaken]) => (isTaken ? step : []));
  return [remaining?.map(({ uid }) => uid), ...done];
};

test('reservations of pods that do not run any more are removed, and the last one frees the devices', () => {
  const both = { reservedFor: [reference('1'), reference('gone')] };
  assert.deepEqual(plan(both, pod('1')), [['1']]);
  assert.deepEqual(plan(both, pod('1', { phase: 'Succeeded' })), [[], 'deallocates', 'removesFinalizer']);
  assert.deepEqual(plan(both, undefined), [[], 'deallocates', 'removesFinalizer']);
  const one = { reservedFor: [reference('1')] };
  assert.deepEqual(plan(one, pod('1', { isTerminating: true })), [undefined]);
  assert.deepEqual(plan(one, pod('1', { isTerminating: true, node: '' })), [
    [],
    'deallocates',
    'removesFinalizer',
  ]);
  assert.deepEqual(plan({ reservedFor: [reference('1', 'others')] }, undefined), [undefined]);
});

test('an allocation without the finalizer of the scheduler is left alone', () => {
  assert.deepEqual(plan({ reservedFor: [reference('gone')], finalizers: [] }, undefined), [[]]);
});

test('a claim that is not reserved keeps its devices until it is deleted', () => {
  assert.deepEqual(plan({}, undefined), [undefined]);
  assert.deepEqual(plan({ isTerminating: true }, undefined), [undefined, 'deallocates', 'removesFinalizer']);
  assert.deepEqual(plan({ isTerminating: true, isAllocated: false }, undefined), [
    undefined,
    'removesFinalizer',
  ]);
  assert.deepEqual(plan({ isTerminating: true, reservedFor: [reference('1')] }, pod('1')), [undefined]);
});

test('the claim of a pod that has ended or was replaced is deleted', () => {
  assert.deepEqual(plan({ owner: '1' }, pod('1')), [undefined]);
  assert.deepEqual(plan({ owner: '1' }, pod('1', { phase: 'Failed' })), [undefined, 'deletesClaim']);
  assert.deepEqual(plan({ owner: '1' }, pod('2')), [undefined, 'deletesClaim']);
  assert.deepEqual(plan({ owner: '1' }, undefined), [undefined]);
});

test('the name of a generated claim has parts of the names of the pod and the entry', () => {
  assert.equal(claimNamePrefix('web', 'gpu'), 'web-gpu-');
  const long = claimNamePrefix('x'.repeat(54), 'y'.repeat(36));
  assert.equal(long, `${'x'.repeat(33)}-${'y'.repeat(22)}`);
});
