// Tests of the claims of pods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pendingPod } from '../cache/pod-info.ts';
import { TestCluster, type TestPod, testPod } from '../cluster.fixture.ts';
import { volumeBinding, volumeDecisions } from './volume-binding.ts';

const pod = { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } };

function clusterWith(claim: object | undefined): TestCluster {
  const cluster = new TestCluster({ a: { labels: { zone: '1' } }, b: { labels: { zone: '2' } } });
  if (claim) cluster.claims.set('ns/data', { metadata: {}, spec: {}, ...claim });
  cluster.classes.set('delayed', { provisioner: 'p', volumeBindingMode: 'WaitForFirstConsumer' });
  cluster.classes.set('static', { provisioner: 'no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' });
  cluster.classes.set('zonal', {
    provisioner: 'p',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['2'] }] }],
  });
  return cluster;
}
const check = (claim: object | undefined, node = 'a') => clusterWith(claim).check(volumeBinding, pod, node);

test('a claim must exist, and not be deleted or lost', () => {
  assert.equal(check(undefined), 'persistentvolumeclaim "data" not found');
  const metadata = { name: 'data', deletionTimestamp: 'now' };
  assert.equal(check({ metadata }), 'persistentvolumeclaim "data" is being deleted');
  const lost = { metadata: { name: 'data' }, spec: { volumeName: 'v' }, status: { phase: 'Lost' } };
  assert.equal(check(lost), 'persistentvolumeclaim "data" bound to non-existent persistentvolume "v"');
});

test('a claim that is bound immediately must be bound', () => {
  const unbound = 'pod has unbound immediate PersistentVolumeClaims';
  assert.equal(check({ spec: { storageClassName: 'unknown' } }), unbound);
  assert.equal(check({ spec: { storageClassName: 'delayed', volumeName: 'v' } }), unbound);
});

test('the node must be able to access the volume of a bound claim', () => {
  const cluster = clusterWith({
    metadata: { annotations: { 'bind-completed': 'yes' } },
    spec: { volumeName: 'v' },
  });
  const missing = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
  assert.equal(cluster.check(volumeBinding, pod, 'a'), missing);
  const matchExpressions = [{ key: 'zone', operator: 'In', values: ['2'] }];
  const required = { nodeSelectorTerms: [{ matchExpressions }] };
  cluster.persistentVolumes.set('v', { spec: { nodeAffinity: { required } } });
  assert.equal(
    cluster.check(volumeBinding, pod, 'a'),
    "node(s) didn't match PersistentVolume's node affinity",
  );
  assert.equal(cluster.check(volumeBinding, pod, 'b'), 'feasible');
});

test('a claim that waits for its first consumer is provisioned for a node of its class', () => {
  const conflict = "node(s) didn't find available persistent volumes to bind";
  assert.equal(check({ spec: { storageClassName: 'delayed' } }), 'feasible');
  assert.equal(check({ spec: { storageClassName: 'static' } }), conflict);
  assert.equal(check({ spec: { storageClassName: 'zonal' } }), conflict);
  assert.equal(check({ spec: { storageClassName: 'zonal' } }, 'b'), 'feasible');
  const metadata = { annotations: { 'selected-node': 'b' } };
  assert.equal(check({ metadata, spec: { storageClassName: 'delayed' } }), conflict);
  assert.equal(check({ metadata, spec: { storageClassName: 'delayed' } }, 'b'), 'feasible');
});

test('the claim of an ephemeral volume belongs to the pod', () => {
  const cluster = clusterWith(undefined);
  const ephemeral = { spec: { volumes: [{ name: 'tmp', ephemeral: {} }] } };
  const waiting =
    'waiting for ephemeral volume controller to create the persistentvolumeclaim "incoming-tmp"';
  assert.equal(cluster.check(volumeBinding, ephemeral, 'a'), waiting);
  const spec = { storageClassName: 'delayed' };
  cluster.claims.set('ns/incoming-tmp', { metadata: { name: 'incoming-tmp' }, spec });
  const foreign = 'PVC ns/incoming-tmp was not created for pod ns/incoming (pod is not owner)';
  assert.equal(cluster.check(volumeBinding, ephemeral, 'a'), foreign);
  const ownerReferences = [{ controller: true, uid: 'uid-ns-incoming' }];
  cluster.claims.set('ns/incoming-tmp', { metadata: { ownerReferences }, spec });
  assert.equal(cluster.check(volumeBinding, ephemeral, 'a'), 'feasible');
});

test('a claim that waits for its first consumer gets the smallest volume of the node', () => {
  const cluster = clusterWith({ metadata: { namespace: 'ns', name: 'data' }, spec: sized('static', '2Gi') });
  const conflict = "node(s) didn't find available persistent volumes to bind";
  assert.equal(cluster.check(volumeBinding, pod, 'a'), conflict);
  cluster.addAvailableVolume('small', volumeIn('1', '1Gi'));
  cluster.addAvailableVolume('large', volumeIn('1', '9Gi'));
  cluster.addAvailableVolume('medium', volumeIn('1', '3Gi'));
  assert.equal(cluster.check(volumeBinding, pod, 'a'), 'feasible');
  assert.equal(cluster.check(volumeBinding, pod, 'b'), conflict);
  assert.deepEqual(chosen(cluster, pod, 'a'), ['medium']);
});

test('two claims of a pod get two volumes, the smaller claim the smaller one', () => {
  const cluster = clusterWith(undefined);
  cluster.claims.set('ns/big', { metadata: { namespace: 'ns', name: 'big' }, spec: sized('static', '4Gi') });
  cluster.claims.set('ns/small', {
    metadata: { namespace: 'ns', name: 'small' },
    spec: sized('static', '1Gi'),
  });
  const both = {
    spec: {
      volumes: ['big', 'small'].map((claimName) => ({
        name: claimName,
        persistentVolumeClaim: { claimName },
      })),
    },
  };
  cluster.addAvailableVolume('five', volumeIn('1', '5Gi'));
  assert.notEqual(cluster.check(volumeBinding, both, 'a'), 'feasible');
  cluster.addAvailableVolume('four', volumeIn('1', '4Gi'));
  assert.equal(cluster.check(volumeBinding, both, 'a'), 'feasible');
  assert.deepEqual(chosen(cluster, both, 'a'), ['four', 'five']);
});

const sized = (storageClassName: string, storage: string) => ({
  storageClassName,
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage } },
});
const volumeIn = (zone: string, storage: string) => ({
  storageClassName: 'static',
  accessModes: ['ReadWriteOnce'],
  capacity: { storage },
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
    },
  },
});
const chosen = (cluster: TestCluster, incoming: TestPod, nodeName: string) =>
  volumeDecisions(
    pendingPod(testPod('incoming', incoming)),
    cluster.node(nodeName),
    cluster.volumes,
  ).bindings.map(({ volumeName }) => volumeName);
