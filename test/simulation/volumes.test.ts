// Simulated volumes: the default class, and volumes that are provisioned, expanded and deleted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { untilDeleted } from '../support/controllers.ts';
import { claimStatus, classes, VolumeNamespace, volumes } from '../support/volumes.ts';

const api = testServer({ nodes: 3 });
const provisioner = 'simulation.orch.io/volumes';
const namespace = () => VolumeNamespace.create(api);
const volumeOf = async (claim: Body) => (await api.get(`${volumes}/${claim.spec.volumeName}`)).body;
const patch = (path: string, body: object) =>
  api.request('PATCH', path, body, { 'content-type': 'application/merge-patch+json' });

test('the server has a default class', async () => {
  const { body } = await api.get(classes);
  const [{ metadata, ...fields } = assert.fail('no class')] = body.items;
  assert.equal(metadata.name, 'simulated');
  assert.equal(metadata.annotations['storageclass.orch.io/is-default-class'], 'true');
  assert.deepEqual(fields, {
    provisioner,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
    allowVolumeExpansion: true,
  });
});

test('the pods of a StatefulSet with claim templates run, each with a volume', async () => {
  const space = await namespace();
  const labels = { app: 'db' };
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const { code, text } = await api.post(`/apis/apps/v1/namespaces/${space.name}/statefulsets`, {
    metadata: { name: 'db' },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }],
    },
  });
  assert.equal(code, 201, text);
  const { body } = await space.until(
    () => api.get(`/api/v1/namespaces/${space.name}/pods`),
    (response) =>
      response.body.items.length === 3 &&
      response.body.items.every(({ status }) => (status as { phase: string }).phase === 'Running'),
  );
  assert.equal(body.items.length, 3);
  const claims = (await api.get(space.claims)).body.items;
  assert.deepEqual(
    claims.map(claimStatus).map(({ phase }) => phase),
    ['Bound', 'Bound', 'Bound'],
  );
  assert.equal(new Set(claims.map((claim) => claim.spec.volumeName)).size, 3);
});

test('a volume is provisioned with what the claim and its class ask for, and deleted with the claim', async () => {
  const space = await namespace();
  await space.createClass({ provisioner, mountOptions: ['noatime'] });
  const accessModes = ['ReadWriteMany'];
  const { metadata } = await space.createClaim('data', '3Gi', { accessModes, volumeMode: 'Block' });
  const claim = await space.untilClaim('data', 'Bound');
  assert.equal(claim.spec.volumeName, `pvc-${metadata.uid}`);
  const volume = await volumeOf(claim);
  assert.equal(volume.metadata.annotations['pv.orch.io/provisioned-by'], provisioner);
  const { capacity, persistentVolumeReclaimPolicy, mountOptions, volumeMode, nodeAffinity } = volume.spec;
  assert.deepEqual(
    { capacity, persistentVolumeReclaimPolicy, mountOptions, volumeMode, nodeAffinity },
    {
      capacity: { storage: '3Gi' },
      persistentVolumeReclaimPolicy: 'Delete',
      mountOptions: ['noatime'],
      volumeMode: 'Block',
      nodeAffinity: undefined,
    },
  );
  assert.deepEqual(volume.spec.accessModes, accessModes);
  const expected = {
    Provisioning: `External provisioner is provisioning volume for claim "${space.name}/data"`,
    ProvisioningSucceeded: `Successfully provisioned volume pvc-${metadata.uid}`,
  };
  for (const [reason, message] of Object.entries(expected)) {
    assert.equal(await space.event('data', reason), message);
  }
  await api.delete(`${space.claims}/data`);
  await untilDeleted(api, `${volumes}/pvc-${metadata.uid}`);
});

test('a volume with policy Retain stays', async () => {
  const space = await namespace();
  await space.createClass({ provisioner, reclaimPolicy: 'Retain' });
  await space.createClaim('data');
  const { spec } = await space.untilClaim('data', 'Bound');
  await api.delete(`${space.claims}/data`);
  await space.until(
    () => api.get(`${volumes}/${spec.volumeName}`),
    ({ body }) => (body.status as { phase: string }).phase === 'Released',
  );
});

test('a volume grows with its claim', async () => {
  const space = await namespace();
  await space.createClass({ provisioner, allowVolumeExpansion: true });
  await space.createClaim('data', '1Gi');
  await space.untilClaim('data', 'Bound');
  const { code, text } = await patch(`${space.claims}/data`, {
    spec: { resources: { requests: { storage: '2Gi' } } },
  });
  assert.equal(code, 200, text);
  const claim = await space.until(
    () => space.claim('data'),
    (grown) => claimStatus(grown).capacity?.storage === '2Gi',
  );
  assert.deepEqual((await volumeOf(claim)).spec.capacity, { storage: '2Gi' });
  assert.equal(await space.event('data', 'VolumeResizeSuccessful'), 'Resize volume succeeded');
});

test('a volume for a first consumer is on the node of its pod, and later pods follow it', async () => {
  const space = await namespace();
  await space.createClass({ provisioner, volumeBindingMode: 'WaitForFirstConsumer' });
  await space.createClaim('data');
  await space.event('data', 'WaitForFirstConsumer');
  const first = await space.createPod('first', ['data']);
  const isRunning = ({ body }: { body: Body }) => (body.status as { phase: string }).phase === 'Running';
  const { body } = await space.until(() => api.get(first), isRunning);
  const { nodeName } = body.spec;
  const volume = await volumeOf(await space.untilClaim('data', 'Bound'));
  assert.deepEqual(volume.spec.nodeAffinity, {
    required: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'orch.io/hostname', operator: 'In', values: [nodeName] }] },
      ],
    },
  });
  const second = await space.createPod('second', ['data']);
  assert.equal((await space.until(() => api.get(second), isRunning)).body.spec.nodeName, nodeName);
});

test('a claim with a selector is not provisioned, and an Event says why', async () => {
  const space = await namespace();
  await space.createClass({ provisioner });
  await space.createClaim('data', '1Gi', { selector: { matchLabels: { a: 'b' } } });
  assert.equal(
    await space.event('data', 'ProvisioningFailed'),
    `failed to provision volume with StorageClass "${space.own('class')}": claim Selector is not supported`,
  );
});
