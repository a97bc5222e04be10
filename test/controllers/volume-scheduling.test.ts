// The scheduler with volumes: claims that wait for their first consumer get existing volumes, and restrictions of volumes hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { conditionsOf, until } from '../support/controllers.ts';
import { claimRefOf, VolumeNamespace } from '../support/volumes.ts';

const api = testServer({
  controllers: ['persistentvolume-binder-controller', 'scheduler', 'serviceaccount-controller'],
});
const zones: Readonly<Record<string, string>> = { 'node-a': 'zone-a', 'node-b': 'zone-b' };

async function createNodes(): Promise<void> {
  for (const [name, zone] of Object.entries(zones)) {
    const labels = { 'orch.io/hostname': name, 'topology.orch.io/zone': zone };
    const resources = { cpu: '8', memory: '8Gi', pods: '110' };
    const status = { capacity: resources, allocatable: resources };
    const { code, text } = await api.post('/api/v1/nodes', { metadata: { name, labels }, status });
    assert.equal(code, 201, text);
    // The taint of a node that is not ready.
    await api.request(
      'PATCH',
      `/api/v1/nodes/${name}`,
      { spec: { taints: null } },
      {
        'content-type': 'application/merge-patch+json',
      },
    );
  }
}
let nodes: Promise<void> | undefined;

/** A namespace of a cluster with two nodes. */
async function newNamespace(): Promise<VolumeNamespace> {
  nodes ??= createNodes();
  await nodes;
  return VolumeNamespace.create(api);
}

async function withClass(fields: object = {}): Promise<VolumeNamespace> {
  const space = await newNamespace();
  await space.createClass({
    provisioner: 'orch.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...fields,
  });
  return space;
}
const onNode = (name: string) => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'orch.io/hostname', operator: 'In', values: [name] }] },
      ],
    },
  },
});
const nodeOf = (space: VolumeNamespace, pod: string) =>
  space
    .until(
      () => api.get(pod),
      ({ body }) => body.spec.nodeName !== undefined,
    )
    .then(({ body }) => body.spec.nodeName);
const reasonOf = (body: Body) => conditionsOf(body).find(({ type }) => type === 'PodScheduled')?.message;
const untilReason = (space: VolumeNamespace, pod: string, text: string) =>
  space.until(
    () => api.get(pod),
    ({ body }) => reasonOf(body)?.includes(text) ?? false,
  );

test('a claim gets the smallest volume that fits on the node of its pod', async () => {
  const space = await withClass();
  await space.createVolume('a-large', '9Gi', onNode('node-a'));
  await space.createVolume('a-small', '2Gi', onNode('node-a'));
  await space.createVolume('b-tiny', '1Gi', onNode('node-b'));
  for (const name of ['a-large', 'a-small', 'b-tiny']) await space.untilVolume(name, 'Available');
  await space.createClaim('data', '2Gi');
  const pod = await space.createPod('web', ['data']);
  assert.equal(await nodeOf(space, pod), 'node-a');
  const claim = await space.untilClaim('data', 'Bound');
  assert.equal(claim.spec.volumeName, space.own('a-small'));
  assert.equal(claimRefOf(await space.volume('a-small'))!.uid, claim.metadata.uid);
});

test('a pod waits for a volume, and is scheduled once there is one', async () => {
  const space = await withClass();
  await space.createClaim('data');
  const pod = await space.createPod('web', ['data']);
  await untilReason(space, pod, "2 node(s) didn't find available persistent volumes to bind");
  await space.createVolume('v', '1Gi', onNode('node-b'));
  assert.equal(await nodeOf(space, pod), 'node-b');
});

test('pods that are scheduled together get different volumes', async () => {
  const space = await withClass();
  const indexes = [0, 1, 2, 3, 4, 5, 6, 7];
  for (const i of indexes) {
    await space.createVolume(`v-${i}`, '1Gi', onNode(i % 2 === 0 ? 'node-a' : 'node-b'));
    await space.createClaim(`data-${i}`);
  }
  const pods = await Promise.all(indexes.map((i) => space.createPod(`web-${i}`, [`data-${i}`])));
  for (const pod of pods) await nodeOf(space, pod);
  const claims = await Promise.all(indexes.map((i) => space.untilClaim(`data-${i}`, 'Bound')));
  assert.equal(new Set(claims.map(({ spec }) => spec.volumeName)).size, indexes.length);
});

test('a claim with ReadWriteOncePod is used by one pod', async () => {
  const space = await newNamespace();
  await space.createVolume('v', '1Gi', { accessModes: ['ReadWriteOncePod'], storageClassName: '' });
  await space.createClaim('data', '1Gi', { accessModes: ['ReadWriteOncePod'], storageClassName: '' });
  await space.untilClaim('data', 'Bound');
  const first = await space.createPod('first', ['data']);
  await nodeOf(space, first);
  const second = await space.createPod('second', ['data']);
  await untilReason(
    space,
    second,
    '2 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
  );
  await api.delete(first, { gracePeriodSeconds: 0 });
  await nodeOf(space, second);
});

test('a pod is scheduled to the zone of its volume', async () => {
  const space = await newNamespace();
  const labels = { 'topology.orch.io/zone': 'zone-b' };
  await space.createVolume('v', '1Gi', {}, { name: space.own('v'), labels });
  await space.untilVolume('v', 'Available');
  await space.createClaim('data');
  await space.untilClaim('data', 'Bound');
  const stranger = await space.createPod('stranger', ['data'], {
    nodeSelector: { 'orch.io/hostname': 'node-a' },
  });
  await untilReason(space, stranger, '1 node(s) had no available volume zone');
  assert.equal(await nodeOf(space, await space.createPod('web', ['data'])), 'node-b');
});

test('a node takes no more volumes than its CSINode allows', async () => {
  const space = await newNamespace();
  const drivers = [
    { name: 'limited.example.com', nodeID: 'a', topologyKeys: null, allocatable: { count: 1 } },
  ];
  await api.post('/apis/storage.orch.io/v1/csinodes', { metadata: { name: 'node-a' }, spec: { drivers } });
  for (const name of ['one', 'two']) {
    const csi = { driver: 'limited.example.com', volumeHandle: name };
    await space.createVolume(name, '1Gi', { csi, claimRef: { namespace: space.name, name } });
    await space.createClaim(name);
    await space.untilClaim(name, 'Bound');
  }
  const onA = { nodeSelector: { 'orch.io/hostname': 'node-a' } };
  await nodeOf(space, await space.createPod('first', ['one'], onA));
  const second = await space.createPod('second', ['two'], onA);
  await untilReason(space, second, '1 node(s) exceed max volume count');
  assert.equal(await nodeOf(space, await space.createPod('elsewhere', ['two'])), 'node-b');
});

test('a pod without its claim waits for it', async () => {
  const space = await newNamespace();
  const pod = await space.createPod('web', ['data']);
  await until(
    () => api.get(pod),
    ({ body }) => reasonOf(body)?.includes('persistentvolumeclaim "data" not found') ?? false,
  );
});
