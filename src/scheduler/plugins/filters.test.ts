// Tests of the filters that look at the pod and the node alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../cluster.fixture.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResourcesFit } from './node-resources.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { taintToleration } from './taint-toleration.ts';

test('NodeName: a pod that names a node fits only on it', () => {
  const cluster = new TestCluster({ a: {}, b: {} });
  assert.equal(cluster.check(nodeName, { spec: { nodeName: 'a' } }, 'a'), 'feasible');
  const reason = "node(s) didn't match the requested node name";
  assert.equal(cluster.check(nodeName, { spec: { nodeName: 'a' } }, 'b'), reason);
});

test('NodeUnschedulable: a cordoned node is rejected unless its taint is tolerated', () => {
  const cluster = new TestCluster({ a: { unschedulable: true } });
  assert.equal(cluster.check(nodeUnschedulable, {}, 'a'), 'node(s) were unschedulable');
  const tolerations = [{ key: 'unschedulable', operator: 'Exists' }];
  assert.equal(cluster.check(nodeUnschedulable, { spec: { tolerations } }, 'a'), 'feasible');
});

test('TaintToleration: the first untolerated NoSchedule or NoExecute taint rejects', () => {
  const taints = [
    { key: 'soft', effect: 'PreferNoSchedule' },
    { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
    { key: 'drain', effect: 'NoExecute' },
  ];
  const cluster = new TestCluster({ a: { taints } });
  const check = (tolerations: object[]) => cluster.check(taintToleration, { spec: { tolerations } }, 'a');
  assert.equal(check([]), 'node(s) had untolerated taint {gpu: yes}');
  assert.equal(check([{ key: 'gpu', value: 'no' }]), 'node(s) had untolerated taint {gpu: yes}');
  assert.equal(check([{ key: 'gpu', value: 'yes' }]), 'node(s) had untolerated taint {drain: }');
  assert.equal(
    check([{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }]),
    'node(s) had untolerated taint {gpu: yes}',
  );
  assert.equal(check([{ operator: 'Exists' }]), 'feasible');
});

test('NodeAffinity: nodeSelector and one of the required terms must match', () => {
  const cluster = new TestCluster({ a: { labels: { disk: 'ssd', cores: '8' } } });
  const check = (spec: object) => cluster.check(nodeAffinity, { spec }, 'a');
  const required = (...nodeSelectorTerms: object[]) => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  });
  const expression = (key: string, operator: string, ...values: string[]) => ({
    matchExpressions: [{ key, operator, values }],
  });
  const mismatch = "node(s) didn't match Pod's node affinity/selector";
  assert.equal(check({ nodeSelector: { disk: 'ssd' } }), 'feasible');
  assert.equal(check({ nodeSelector: { disk: 'hdd' } }), mismatch);
  assert.equal(check(required(expression('disk', 'In', 'hdd'), expression('cores', 'Gt', '4'))), 'feasible');
  assert.equal(check(required(expression('cores', 'Lt', '8'))), mismatch);
  assert.equal(check(required(expression('gone', 'DoesNotExist'))), 'feasible');
  assert.equal(check(required({})), mismatch);
  assert.equal(check({ nodeSelector: { disk: 'hdd' }, ...required(expression('disk', 'Exists')) }), mismatch);
});

test('NodeAffinity: terms that name nodes restrict the search to them', () => {
  const cluster = new TestCluster({ a: {}, b: {}, c: {} });
  const named = (...terms: string[][]) => {
    const nodeSelectorTerms = terms.map((names) => ({
      matchFields: names.map((name) => ({ key: 'metadata.name', operator: 'In', values: [name] })),
    }));
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
    return { cpu: '5', spec: { affinity: { nodeAffinity } } };
  };
  assert.equal(
    cluster.place(named(['a'])),
    "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
  );
  assert.equal(cluster.place(named(['a', 'b'])), '0/3 nodes are available: pod affinity terms conflict.');
  assert.equal(cluster.place({ ...named(['b']), cpu: '1' }), 'b');
});

test('NodePorts: a host port conflicts on the same address and on all addresses', () => {
  const cluster = new TestCluster({ a: {} }).run('web', 'a', {
    ports: [
      { hostPort: 80, hostIP: '10.0.0.1', protocol: 'TCP' },
      { hostPort: 53, protocol: 'UDP' },
    ],
  });
  const check = (port: object) => cluster.check(nodePorts, { ports: [port] }, 'a');
  const conflict = "node(s) didn't have free ports for the requested pod ports";
  assert.equal(check({ hostPort: 80, hostIP: '10.0.0.1' }), conflict);
  assert.equal(check({ hostPort: 80 }), conflict);
  assert.equal(check({ hostPort: 80, hostIP: '10.0.0.2' }), 'feasible');
  assert.equal(check({ hostPort: 53, hostIP: '10.0.0.2', protocol: 'UDP' }), conflict);
  assert.equal(check({ hostPort: 53 }), 'feasible');
  assert.equal(check({ containerPort: 80 }), 'feasible');
});

test('NodeResourcesFit: every insufficient resource is a reason', () => {
  const cluster = new TestCluster({
    a: { cpu: '2', memory: '1Gi', pods: '1', allocatable: { 'example.com/gpu': '2' } },
  }).run('x', 'a', { cpu: '1500m', requests: { 'example.com/gpu': '1' } });
  const check = (pod: object) => cluster.check(nodeResourcesFit, pod, 'a');
  assert.equal(check({}), 'Too many pods');
  assert.equal(
    check({ cpu: '1', memory: '2Gi', requests: { 'example.com/gpu': '2', 'ephemeral-storage': '1' } }),
    'Too many pods, Insufficient cpu, Insufficient memory, Insufficient ephemeral-storage, Insufficient example.com/gpu',
  );
});

test('NodeResourcesFit: init containers, sidecars and overhead count', () => {
  const cluster = new TestCluster({ a: { cpu: '4' } });
  const requests = (cpu: string) => ({ resources: { requests: { cpu } } });
  const check = (initContainers: object[], overhead = '0') => {
    const spec = {
      initContainers,
      containers: [{ name: 'c', ...requests('1') }],
      overhead: { cpu: overhead },
    };
    return cluster.check(nodeResourcesFit, { spec }, 'a');
  };
  assert.equal(check([{ name: 'i', ...requests('4') }]), 'feasible');
  assert.equal(check([{ name: 'i', ...requests('4') }], '1m'), 'Insufficient cpu');
  assert.equal(check([{ name: 's', restartPolicy: 'Always', ...requests('3') }]), 'feasible');
  assert.equal(
    check([
      { name: 's', restartPolicy: 'Always', ...requests('2') },
      { name: 'i', ...requests('3') },
    ]),
    'Insufficient cpu',
  );
});
