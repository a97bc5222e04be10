// persistentvolume-binder-controller, on a movable clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { controllersIdle, untilDeleted } from '../support/controllers.ts';
import {
  claimRefOf,
  claimStatus,
  classes,
  VolumeNamespace,
  volumeStatus,
  volumes,
} from '../support/volumes.ts';

const api = testServer({
  controllers: [
    'persistentvolume-binder-controller',
    'persistentvolume-protection-controller',
    'persistentvolumeclaim-protection-controller',
    'serviceaccount-controller',
  ],
});
const names = {
  bindCompleted: 'pv.orch.io/bind-completed',
  boundByController: 'pv.orch.io/bound-by-controller',
  provisionedBy: 'pv.orch.io/provisioned-by',
  storageProvisioner: 'volume.orch.io/storage-provisioner',
  betaStorageProvisioner: 'volume.beta.orch.io/storage-provisioner',
};
const namespace = () => VolumeNamespace.create(api);
const patch = (path: string, body: object) =>
  api.request('PATCH', path, body, { 'content-type': 'application/merge-patch+json' });

/** Waits until controllers have nothing to do, also after the next periods. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await controllersIdle(api);
    api.server.clock.advance(16_000);
  }
  await controllersIdle(api);
}

test('a claim is bound to the smallest volume that fits, and both refer to each other', async () => {
  const space = await namespace();
  await space.createVolume('large', '10Gi');
  await space.createVolume('medium', '5Gi');
  await space.createVolume('small', '1Gi');
  for (const name of ['large', 'medium', 'small']) await space.untilVolume(name, 'Available');
  await space.createClaim('data', '2Gi');
  const claim = await space.untilClaim('data', 'Bound');
  assert.equal(claim.spec.volumeName, space.own('medium'));
  assert.equal(claim.metadata.annotations[names.bindCompleted], 'yes');
  assert.equal(claim.metadata.annotations[names.boundByController], 'yes');
  assert.deepEqual(claimStatus(claim).capacity, { storage: '5Gi' });
  assert.deepEqual(claimStatus(claim).accessModes, ['ReadWriteOnce']);
  const volume = await space.untilVolume('medium', 'Bound');
  const { resourceVersion: _version, ...reference } = claimRefOf(volume)!;
  assert.deepEqual(reference, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    name: 'data',
    namespace: space.name,
    uid: claim.metadata.uid,
  });
  assert.equal(volume.metadata.annotations[names.boundByController], 'yes');
  await space.untilVolume('small', 'Available');
});

test('a volume that is created later is bound to the claim that waits for it', async () => {
  const space = await namespace();
  await space.createClaim('data', '1Gi', { storageClassName: '' });
  assert.equal(
    await space.event('data', 'FailedBinding'),
    'no persistent volumes available for this claim and no storage class is set',
  );
  await space.createVolume('v', '1Gi', { storageClassName: '' });
  await space.untilClaim('data', 'Bound');
});

test('class, access modes, volume mode and labels of a volume must match', async () => {
  const space = await namespace();
  await space.createVolume('other-class', '1Gi', { storageClassName: 'other' });
  await space.createVolume('read-only', '1Gi', { accessModes: ['ReadOnlyMany'] });
  await space.createVolume('block', '1Gi', { volumeMode: 'Block' });
  await space.createVolume('unlabelled', '1Gi');
  await space.createVolume(
    'labelled',
    '1Gi',
    { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] },
    {
      name: space.own('labelled'),
      labels: { tier: 'db' },
    },
  );
  for (const name of ['other-class', 'read-only', 'block', 'unlabelled', 'labelled'])
    await space.untilVolume(name, 'Available');
  await space.createClaim('data', '1Gi', {
    selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['db', 'cache'] }] },
  });
  const claim = await space.untilClaim('data', 'Bound');
  assert.equal(claim.spec.volumeName, space.own('labelled'));
  assert.deepEqual(claimStatus(claim).accessModes, ['ReadWriteOnce', 'ReadWriteMany']);
});

test('a volume with fewer access modes is preferred to a smaller one', async () => {
  const space = await namespace();
  await space.createVolume('shared', '1Gi', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] });
  await space.createVolume('exclusive', '5Gi');
  for (const name of ['shared', 'exclusive']) await space.untilVolume(name, 'Available');
  await space.createClaim('data');
  assert.equal((await space.untilClaim('data', 'Bound')).spec.volumeName, space.own('exclusive'));
});

test('a volume that is reserved for a claim is bound to it, whatever its class, and to no other', async () => {
  const space = await namespace();
  const claimRef = { namespace: space.name, name: 'mine' };
  await space.createVolume('reserved', '5Gi', { claimRef, storageClassName: '' });
  await space.createVolume('free', '9Gi');
  for (const name of ['reserved', 'free']) await space.untilVolume(name, 'Available');
  await space.createClaim('other');
  assert.equal((await space.untilClaim('other', 'Bound')).spec.volumeName, space.own('free'));
  await space.createClaim('mine');
  const claim = await space.untilClaim('mine', 'Bound');
  assert.equal(claim.spec.volumeName, space.own('reserved'));
  const volume = await space.untilVolume('reserved', 'Bound');
  assert.equal(claimRefOf(volume)!.uid, claim.metadata.uid);
  assert.equal(volume.metadata.annotations?.[names.boundByController], undefined);
});

test('a claim that names its volume waits for it, and gets only a volume that satisfies it', async () => {
  const space = await namespace();
  await space.createClaim('data', '2Gi', { volumeName: space.own('v') });
  await settle();
  assert.equal(claimStatus(await space.claim('data')).phase, 'Pending');
  await space.createVolume('v', '1Gi');
  assert.equal(
    await space.event('data', 'VolumeMismatch'),
    `Cannot bind to requested volume "${space.own('v')}": requested PV is too small`,
  );
  await patch(`${volumes}/${space.own('v')}`, { spec: { capacity: { storage: '2Gi' } } });
  const claim = await space.untilClaim('data', 'Bound');
  assert.equal(claim.metadata.annotations[names.boundByController], undefined);
});

test('a claim that names the volume of another claim waits', async () => {
  const space = await namespace();
  await space.createVolume('v');
  await space.untilVolume('v', 'Available');
  await space.createClaim('first');
  await space.untilClaim('first', 'Bound');
  await space.createClaim('second', '1Gi', { volumeName: space.own('v') });
  assert.equal(
    await space.event('second', 'FailedBinding'),
    `volume "${space.own('v')}" already bound to a different claim.`,
  );
  assert.equal(claimStatus(await space.claim('second')).phase, 'Pending');
});

test('a claim whose volume is deleted is lost', async () => {
  const space = await namespace();
  await space.createVolume('v');
  await space.untilVolume('v', 'Available');
  await space.createClaim('data');
  await space.untilClaim('data', 'Bound');
  await patch(`${volumes}/${space.own('v')}`, { metadata: { finalizers: null } });
  await api.delete(`${volumes}/${space.own('v')}`);
  await patch(`${volumes}/${space.own('v')}`, { metadata: { finalizers: null } });
  const claim = await space.untilClaim('data', 'Lost');
  assert.equal(claimStatus(claim).capacity, undefined);
  assert.equal(
    await space.event('data', 'ClaimLost'),
    'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
  );
});

test('a volume that lost its reference to a bound claim gets it again', async () => {
  const space = await namespace();
  await space.createVolume('v');
  await space.untilVolume('v', 'Available');
  await space.createClaim('data');
  const claim = await space.untilClaim('data', 'Bound');
  await patch(`${volumes}/${space.own('v')}`, { spec: { claimRef: null } });
  await space.until(
    () => space.volume('v'),
    (volume) => claimRefOf(volume)?.uid === claim.metadata.uid,
  );
});

test('a volume with policy Retain is released, and is available again once its reference is removed', async () => {
  const space = await namespace();
  await space.createVolume('v');
  await space.untilVolume('v', 'Available');
  await space.createClaim('data');
  await space.untilClaim('data', 'Bound');
  await api.delete(`${space.claims}/data`);
  await untilDeleted(api, `${space.claims}/data`);
  await space.untilVolume('v', 'Released');
  await space.createClaim('data');
  await settle();
  assert.equal(claimStatus(await space.claim('data')).phase, 'Pending');
  await patch(`${volumes}/${space.own('v')}`, { spec: { claimRef: null } });
  await space.untilClaim('data', 'Bound');
});

test('reclaiming: a CSI volume waits for its driver, a hostPath volume in /tmp is deleted, and others fail', async () => {
  const space = await namespace();
  const policies = {
    csi: { persistentVolumeReclaimPolicy: 'Delete' },
    tmp: { persistentVolumeReclaimPolicy: 'Delete', csi: null, hostPath: { path: '/tmp/x' } },
    path: { persistentVolumeReclaimPolicy: 'Delete', csi: null, hostPath: { path: '/data' } },
    nfs: { persistentVolumeReclaimPolicy: 'Delete', csi: null, nfs: { server: 's', path: '/' } },
    recycled: { persistentVolumeReclaimPolicy: 'Recycle', csi: null, nfs: { server: 's', path: '/' } },
  };
  for (const [name, spec] of Object.entries(policies)) {
    await space.createVolume(name, '1Gi', { ...spec, claimRef: { namespace: space.name, name } });
    await space.createClaim(name);
    await space.untilClaim(name, 'Bound');
    await space.untilVolume(name, 'Bound');
    await api.delete(`${space.claims}/${name}`);
  }
  await space.untilVolume('csi', 'Released');
  await untilDeleted(api, `${volumes}/${space.own('tmp')}`);
  const failures = {
    path: 'host_path deleter only supports /tmp/.+ but received provided /data',
    nfs: `error getting deleter volume plugin for volume "${space.own('nfs')}": no deletable volume plugin matched`,
  };
  for (const [name, message] of Object.entries(failures)) {
    assert.equal(volumeStatus(await space.untilVolume(name, 'Failed')).message, message);
    assert.equal(await space.event(space.own(name), 'VolumeFailedDelete', 'default'), message);
  }
  await space.untilVolume('recycled', 'Failed');
  assert.equal(
    await space.event(space.own('recycled'), 'VolumeFailedRecycle', 'default'),
    'No recycler plugin found for the volume!',
  );
});

test('an external provisioner is asked for a volume, which is bound once it exists', async () => {
  const space = await namespace();
  await space.createClass({ provisioner: 'example.com/disks' });
  const { metadata } = await space.createClaim('data');
  assert.equal(
    await space.event('data', 'ExternalProvisioning'),
    "Waiting for a volume to be created either by the external provisioner 'example.com/disks' or manually by the system " +
      'administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.',
  );
  const { metadata: asked } = await space.claim('data');
  assert.equal(asked.annotations[names.storageProvisioner], 'example.com/disks');
  assert.equal(asked.annotations[names.betaStorageProvisioner], 'example.com/disks');
  const claimRef = { namespace: space.name, name: 'data', uid: metadata.uid };
  const annotations = { [names.provisionedBy]: 'example.com/disks' };
  const spec = { claimRef, persistentVolumeReclaimPolicy: 'Delete' };
  await space.createVolume('v', '1Gi', spec, { name: space.own('v'), annotations });
  await space.untilClaim('data', 'Bound');
  // A second volume for the same claim is released, for its provisioner to delete.
  await space.createVolume('late', '1Gi', spec, { name: space.own('late'), annotations });
  await space.untilVolume('late', 'Released');
});

test('a missing class and a provisioner of the own domain are reported', async () => {
  const space = await namespace();
  await space.createClaim('data');
  assert.equal(
    await space.event('data', 'ProvisioningFailed'),
    `storageclass.storage.orch.io "${space.own('class')}" not found`,
  );
  const own = await namespace();
  await own.createClass({ provisioner: 'orch.io/no-provisioner' });
  await own.createClaim('data');
  assert.equal(
    await own.event('data', 'ProvisioningFailed'),
    'no volume plugin matched name: orch.io/no-provisioner',
  );
});

test('a claim that waits for its first consumer says for which pods it waits', async () => {
  const space = await namespace();
  await space.createClass({ volumeBindingMode: 'WaitForFirstConsumer' });
  await space.createVolume('v');
  await space.untilVolume('v', 'Available');
  await space.createClaim('data');
  assert.equal(
    await space.event('data', 'WaitForFirstConsumer'),
    'waiting for first consumer to be created before binding',
  );
  await space.createPod('web', ['data']);
  assert.equal(await space.event('data', 'WaitForPodScheduled'), 'waiting for pod web to be scheduled');
  assert.equal(claimStatus(await space.claim('data')).phase, 'Pending');
  await patch(`${space.claims}/data`, { metadata: { annotations: { 'volume.orch.io/selected-node': 'n' } } });
  await space.event('data', 'ExternalProvisioning');
});

test('a volume of another mode that refers to a claim is reported on both', async () => {
  const space = await namespace();
  const { metadata } = await space.createClaim('data', '1Gi', { storageClassName: '' });
  const claimRef = { namespace: space.name, name: 'data', uid: metadata.uid };
  await space.createVolume('v', '1Gi', { claimRef, volumeMode: 'Block' });
  assert.equal(
    await space.event('data', 'VolumeMismatch'),
    `Cannot bind PersistentVolume "${space.own('v')}" to requested PersistentVolumeClaim due to incompatible volumeMode.`,
  );
  assert.equal(
    await space.event(space.own('v'), 'VolumeMismatch', 'default'),
    'Cannot bind PersistentVolume to requested PersistentVolumeClaim "data" due to incompatible volumeMode.',
  );
});

test('a claim without a class gets the default class that is created later', async () => {
  const space = await namespace();
  await space.createClaim('data', '1Gi', { storageClassName: undefined });
  await space.createClaim('none', '1Gi', { storageClassName: '' });
  await space.event('data', 'FailedBinding');
  const annotations = { 'storageclass.orch.io/is-default-class': 'true' };
  await space.createClass({}, { name: space.own('class'), annotations });
  const claim = await space.until(
    () => space.claim('data'),
    ({ spec }) => spec.storageClassName !== undefined,
  );
  assert.equal(claim.spec.storageClassName, space.own('class'));
  await settle();
  assert.equal((await space.claim('none')).spec.storageClassName, '');
  await api.delete(`${classes}/${space.own('class')}`);
});

test('many claims and volumes are bound one to one', async () => {
  const space = await namespace();
  const indexes = Array.from({ length: 40 }, (_, i) => i);
  await Promise.all(indexes.map((i) => space.createClaim(`claim-${i}`)));
  await Promise.all(indexes.map((i) => space.createVolume(`volume-${i}`)));
  const { body } = await space.until(
    () => api.get(space.claims),
    (response) => response.body.items.every((claim) => claimStatus(claim).phase === 'Bound'),
  );
  assert.equal(new Set(body.items.map(({ spec }) => spec.volumeName)).size, indexes.length);
});
