// Tests of VolumeRestrictions, VolumeZone and NodeVolumeLimits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pendingPod } from '../cache/pod-info.ts';
import { TestCluster, testPod } from '../cluster.fixture.ts';
import { NodeFilters } from '../node-filters.ts';
import { defaultProfile } from '../profile.ts';
import { nodeVolumeLimits } from './node-volume-limits.ts';
import { volumeRestrictions } from './volume-restrictions.ts';
import { volumeZone } from './volume-zone.ts';

const podWith = (...claimNames: string[]) => ({
  spec: {
    volumes: claimNames.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
  },
});
const bound = (volumeName: string, spec: object = {}) => ({
  metadata: { annotations: { 'bind-completed': 'yes' } },
  spec: { volumeName, ...spec },
});

test('a claim with ReadWriteOncePod is used by one pod at a time, on whatever node', () => {
  const cluster = new TestCluster({ a: {}, b: {} });
  const claim = bound('v', { accessModes: ['ReadWriteOncePod'] });
  cluster.claims.set('ns/data', { ...claim, metadata: { ...claim.metadata, name: 'data' } });
  assert.equal(cluster.check(volumeRestrictions, podWith('data'), 'a'), 'feasible');
  cluster.run('user', 'a', podWith('data'));
  const conflict =
    'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode';
  assert.equal(cluster.check(volumeRestrictions, podWith('data'), 'b'), conflict);
  assert.equal(
    cluster.check(volumeRestrictions, { ...podWith('data'), namespace: 'other' }, 'b').includes('not found'),
    true,
  );
  cluster.cluster.removePod('ns/user');
  assert.equal(cluster.check(volumeRestrictions, podWith('data'), 'b'), 'feasible');
});

test('without the pod that uses it, a claim with ReadWriteOncePod is free: preemption may help', () => {
  const cluster = new TestCluster({ a: {} });
  cluster.claims.set('ns/data', bound('v', { accessModes: ['ReadWriteOncePod'] }));
  cluster.persistentVolumes.set('v', { metadata: {}, spec: {} });
  cluster.run('user', 'a', podWith('data'));
  const pod = pendingPod(testPod('incoming', podWith('data')));
  const filters = NodeFilters.prepare(pod, defaultProfile, cluster.nominated, cluster) as NodeFilters;
  const simulation = filters.simulate(cluster.node('a'));
  assert.equal(simulation.check()?.plugin, 'VolumeRestrictions');
  simulation.remove(cluster.cluster.pod('ns/user')!);
  assert.equal(simulation.check(), undefined);
});

test('a disk is used by one pod of a node, unless all only read it', () => {
  const disk = (readOnly: boolean) => ({
    spec: { volumes: [{ name: 'd', gcePersistentDisk: { pdName: 'disk', readOnly } }] },
  });
  const cluster = new TestCluster({ a: {}, b: {} }).run('user', 'a', disk(true));
  assert.equal(cluster.check(volumeRestrictions, disk(false), 'a'), 'node(s) had no available disk');
  assert.equal(cluster.check(volumeRestrictions, disk(true), 'a'), 'feasible');
  assert.equal(cluster.check(volumeRestrictions, disk(false), 'b'), 'feasible');
});

test('a volume with the label of a zone is used only there', () => {
  const cluster = new TestCluster({ a: { labels: { zone: '1' } }, b: { labels: { zone: '3' } }, c: {} });
  cluster.claims.set('ns/data', bound('v'));
  assert.equal(cluster.check(volumeZone, podWith('data'), 'a'), 'persistentvolume "v" not found');
  cluster.persistentVolumes.set('v', { metadata: { labels: { zone: '1__2' } }, spec: {} });
  assert.equal(cluster.check(volumeZone, podWith('data'), 'a'), 'feasible');
  assert.equal(cluster.check(volumeZone, podWith('data'), 'b'), 'node(s) had no available volume zone');
  assert.equal(cluster.check(volumeZone, podWith('data'), 'c'), 'feasible');
});

test('a node has at most as many volumes of a driver as its CSINode allows', () => {
  const cluster = new TestCluster({ a: {}, b: {} });
  for (const name of ['one', 'two', 'three']) {
    cluster.claims.set(`ns/${name}`, bound(`v-${name}`));
    cluster.persistentVolumes.set(`v-${name}`, { spec: { csi: { driver: 'd', volumeHandle: name } } });
  }
  cluster.csiNodes.set('a', { spec: { drivers: [{ name: 'd', allocatable: { count: 2 } }] } });
  cluster.run('user', 'a', podWith('one', 'two')).run('other', 'b', podWith('one', 'two'));
  const exceeded = 'node(s) exceed max volume count';
  assert.equal(cluster.check(nodeVolumeLimits, podWith('three'), 'a'), exceeded);
  // A volume that the node has already is counted once.
  assert.equal(cluster.check(nodeVolumeLimits, podWith('one'), 'a'), 'feasible');
  assert.equal(cluster.check(nodeVolumeLimits, podWith('three'), 'b'), 'feasible');
  // A claim that is to be provisioned counts for its provisioner.
  cluster.classes.set('class', { provisioner: 'd' });
  cluster.claims.set('ns/new', { metadata: {}, spec: { storageClassName: 'class' } });
  assert.equal(cluster.check(nodeVolumeLimits, podWith('new'), 'a'), exceeded);
});
