import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const classes = kind(http, '/apis/node.orch.io/v1/runtimeclasses');
const nodes = kind(http, '/api/v1/nodes');
const leases = kind(http, '/apis/coordination.orch.io/v1/namespaces/default/leases');
const candidates = kind(http, '/apis/coordination.orch.io/v1beta1/namespaces/default/leasecandidates');

test('RuntimeClass: handler is required, a DNS label, and cannot change', async () => {
  await classes.valid();
  await classes.invalid({ handler: null }, 'handler');
  await classes.invalid({ handler: 'Not_A_Label' }, 'handler');
  const made = await classes.create({ metadata: { name: 'fixed' } });
  await classes.invalidUpdate(made, { handler: 'other' }, 'handler');
});

test('RuntimeClass: overhead is in quantities, scheduling by labels and tolerations', async () => {
  const scheduling = { nodeSelector: { disk: 'fast' }, tolerations: [{ key: 'k', operator: 'Exists' }] };
  const made = await classes.valid({ overhead: { podFixed: { cpu: '100m' } }, scheduling });
  assert.deepEqual(made.overhead, { podFixed: { cpu: '100m' } });
  assert.deepEqual(made.scheduling, scheduling);
  await classes.invalid({ overhead: { podFixed: { cpu: '-1' } } }, 'overhead.limits[cpu]');
  await classes.invalid({ scheduling: { nodeSelector: { 'a b': 'c' } } }, 'scheduling.nodeSelector');
});

test('Node: podCIDRs are set once, and taints are unique by key and effect', async () => {
  const taint = { key: 'example.com/k', effect: 'NoSchedule' };
  await nodes.valid({ spec: { taints: [taint, { ...taint, effect: 'NoExecute' }] } });
  await nodes.invalid({ spec: { taints: [taint, taint] } }, 'metadata.taints[1]');
  const node = await nodes.create({ spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } });
  const moved = { podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'] };
  await nodes.invalidUpdate(node, { spec: moved }, 'spec.podCIDRs');
});

test('Node: status is written through status alone', async () => {
  const node = await nodes.create({ metadata: { name: 'with-status' } });
  const status = { capacity: { cpu: '4' }, phase: 'Running' };
  const plain = await nodes.update(node, { status });
  assert.equal((plain.status as { phase?: string }).phase, undefined);
  const written = await nodes.update(plain, { status }, 'status');
  assert.equal((written.status as { phase?: string }).phase, 'Running');
});

test('Lease: leaseDurationSeconds is positive, leaseTransitions not negative', async () => {
  await leases.valid({ spec: { holderIdentity: 'me', leaseDurationSeconds: 15, leaseTransitions: 0 } });
  await leases.invalid({ spec: { leaseDurationSeconds: 0 } }, 'spec.leaseDurationSeconds');
  await leases.invalid({ spec: { leaseTransitions: -1 } }, 'spec.leaseTransitions');
});

test('LeaseCandidate: leaseName, binaryVersion and strategy are required', async () => {
  await candidates.valid();
  for (const field of ['leaseName', 'binaryVersion', 'strategy']) {
    await candidates.invalid({ spec: { [field]: null } }, `spec.${field}`);
  }
});
