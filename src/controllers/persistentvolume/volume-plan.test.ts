// Tests of what happens to a volume, by the claim that it refers to, and after its release.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { kubernetes } from '../../dialect/kubernetes.ts';
import { planReclaim, planVolume } from './volume-plan.ts';

const { annotations } = kubernetes;
const volume = (spec: object, own: object = {}) =>
  ({ metadata: { name: 'v', annotations: own }, spec }) as unknown as PersistentVolume;
const claim = (uid: string, spec: object = {}) =>
  ({ metadata: { name: 'c', uid }, spec }) as unknown as PersistentVolumeClaim;
const claimRef = { namespace: 'ns', name: 'c', uid: '1' };

test('a volume without a claim is available, also one that is only reserved', () => {
  const available = { action: 'setPhase', phase: 'Available' };
  assert.deepEqual(planVolume(volume({}), undefined, annotations), available);
  assert.deepEqual(
    planVolume(volume({ claimRef: { ...claimRef, uid: '' } }), claim('1'), annotations),
    available,
  );
});

test('a volume whose claim is gone, or is another one of the same name, is released', () => {
  const released = { action: 'release' };
  assert.deepEqual(planVolume(volume({ claimRef }), undefined, annotations), released);
  assert.deepEqual(planVolume(volume({ claimRef }), claim('2'), annotations), released);
});

test('a volume follows its claim', () => {
  const plan = (spec: object, own?: object, more: object = {}) =>
    planVolume(volume({ claimRef, ...more }, own), claim('1', spec), annotations).action;
  assert.equal(plan({ volumeName: 'v' }), 'setPhase');
  assert.equal(plan({}), 'leaveToClaim');
  assert.equal(plan({ volumeMode: 'Block' }), 'reportModeMismatch');
  assert.equal(plan({ volumeName: 'other' }), 'unbind');
  const provisioned = { [annotations.provisionedBy]: 'p' };
  assert.equal(plan({ volumeName: 'other' }, provisioned), 'unbind');
  assert.equal(
    plan({ volumeName: 'other' }, provisioned, { persistentVolumeReclaimPolicy: 'Delete' }),
    'release',
  );
});

test('the reclaim policy decides about a released volume', () => {
  const plan = (persistentVolumeReclaimPolicy: string, spec: object = {}, own?: object) => {
    const result = planReclaim(volume({ persistentVolumeReclaimPolicy, ...spec }, own), kubernetes);
    return result.action === 'fail' ? result.message : result.action;
  };
  assert.equal(plan('Retain'), 'keep');
  assert.equal(plan('Recycle'), 'No recycler plugin found for the volume!');
  assert.equal(plan('Delete', { csi: {} }), 'keep');
  assert.equal(plan('Delete', {}, { [annotations.provisionedBy]: 'example.com/p' }), 'keep');
  assert.equal(
    plan('Delete', {}, { [annotations.provisionedBy]: 'kubernetes.io/p' }),
    'no volume plugin matched name: kubernetes.io/p',
  );
  assert.equal(plan('Delete', { hostPath: { path: '/tmp/a' } }), 'delete');
  assert.match(plan('Delete', { hostPath: { path: '/tmp/' } }), /^host_path deleter only supports/);
  assert.match(plan('Delete', { local: { path: '/a' } }), /: no volume plugin matched$/);
  assert.match(plan('Delete', { nfs: {} }), /: no deletable volume plugin matched$/);
});
