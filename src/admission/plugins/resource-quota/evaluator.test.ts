import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../../dialect/index.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import { claimEvaluator } from './claims.ts';
import { deviceClaimEvaluator } from './device-claims.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { podEvaluator } from './pods.ts';
import { isInScope } from './quota-account.ts';
import { serviceEvaluator } from './services.ts';
import { toResourceList } from './usage.ts';

const now = Date.parse('2026-01-02T03:04:05Z');
const ofPods = podEvaluator('count/pods', orch);
const used = (evaluator: QuotaEvaluator, object: object) => ({
  ...toResourceList(evaluator.usage({ metadata: {}, ...object } as ApiObject, now)),
});
const using = (requests: object, limits: object = {}, fields: object = {}) => ({
  name: 'c',
  resources: { requests, limits },
  ...fields,
});

test('a pod uses the sum of its containers and its overhead', () => {
  const spec = {
    containers: [using({ cpu: '1', 'example.com/gpu': '1' }, { cpu: '2' }), using({ cpu: '500m' })],
    initContainers: [using({ cpu: '3' })],
    overhead: { cpu: '100m', memory: '1Mi' },
  };
  assert.deepEqual(used(ofPods, { spec }), {
    'count/pods': '1',
    pods: '1',
    cpu: '3100m',
    'requests.cpu': '3100m',
    'limits.cpu': '2100m',
    memory: '1Mi',
    'requests.memory': '1Mi',
    'requests.example.com/gpu': '1',
  });
});

test('a finished or overdue terminating pod uses only its object count', () => {
  const spec = { containers: [using({ cpu: '1' })] };
  const over = { 'count/pods': '1' };
  assert.deepEqual(used(ofPods, { spec, status: { phase: 'Failed' } }), over);
  const ending = (deletionTimestamp: string) => ({
    spec,
    metadata: { deletionTimestamp, deletionGracePeriodSeconds: 30 },
  });
  assert.deepEqual(used(ofPods, ending('2026-01-02T03:00:00Z')), over);
  assert.equal(used(ofPods, ending('2026-01-02T03:04:00Z')).pods, '1');
});

test('during a resize a pod uses the maximum of allocated and requested resources', () => {
  const spec = { containers: [using({ cpu: '1' })] };
  const containerStatuses = [{ name: 'c', resources: { requests: { cpu: '2' } } }];
  assert.equal(used(ofPods, { spec, status: { containerStatuses } }).cpu, '2');
  const conditions = [{ type: 'PodResizePending', reason: 'Infeasible' }];
  const larger = { containers: [using({ cpu: '9' })] };
  assert.equal(used(ofPods, { spec: larger, status: { containerStatuses } }).cpu, '9');
  assert.equal(used(ofPods, { spec: larger, status: { containerStatuses, conditions } }).cpu, '2');
});

test('a Service uses node ports and load balancers by its type', () => {
  const of = (spec: object) => used(serviceEvaluator('count/services'), { spec });
  const two = [{ port: 1, nodePort: 30_000 }, { port: 2 }];
  const one = { 'count/services': '1', services: '1' };
  assert.deepEqual(of({ type: 'ClusterIP', ports: two }), one);
  assert.deepEqual(of({ type: 'NodePort', ports: two }), { ...one, 'services.nodeports': '2' });
  const balanced = { ...one, 'services.loadbalancers': '1' };
  assert.deepEqual(of({ type: 'LoadBalancer', ports: two }), { ...balanced, 'services.nodeports': '2' });
  assert.deepEqual(of({ type: 'LoadBalancer', ports: two, allocateLoadBalancerNodePorts: false }), {
    ...balanced,
    'services.nodeports': '1',
  });
});

test('a PersistentVolumeClaim uses storage, also of its StorageClass', () => {
  const evaluator = claimEvaluator('count/persistentvolumeclaims', orch);
  const spec = { storageClassName: 'gold', resources: { requests: { storage: '1Gi' } } };
  assert.deepEqual(used(evaluator, { spec, status: { allocatedResources: { storage: '2Gi' } } }), {
    'count/persistentvolumeclaims': '1',
    persistentvolumeclaims: '1',
    'requests.storage': '2Gi',
    'gold.storageclass.storage.orch.io/persistentvolumeclaims': '1',
    'gold.storageclass.storage.orch.io/requests.storage': '2Gi',
  });
  assert.ok(evaluator.counts('any.storageclass.storage.orch.io/requests.storage'));
  assert.ok(!evaluator.counts('any.storageclass.example.com/requests.storage'));
});

test('a ResourceClaim uses the maximum number of devices of each class', () => {
  const requests = [
    { name: 'a', deviceClassName: 'gpu', allocationMode: 'All' },
    {
      name: 'b',
      firstAvailable: [
        { deviceClassName: 'gpu', count: 2 },
        { deviceClassName: 'nic', count: 3 },
      ],
    },
  ];
  assert.deepEqual(used(deviceClaimEvaluator('count', orch), { spec: { devices: { requests } } }), {
    count: '1',
    'gpu.deviceclass.resource.orch.io/devices': '34',
    'nic.deviceclass.resource.orch.io/devices': '3',
  });
});

test('a quota with a scope ignores objects outside of the scope', () => {
  const quota = { spec: { scopes: ['Terminating'] } } as never;
  const object = (spec: object) => ({ metadata: {}, spec }) as unknown as ApiObject;
  assert.ok(isInScope(quota, ofPods, object({ activeDeadlineSeconds: 1 })));
  assert.ok(!isInScope(quota, ofPods, object({})));
  assert.ok(!isInScope(quota, serviceEvaluator('count/services'), object({})));
});
