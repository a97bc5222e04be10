import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from './container.ts';
import { computeQosClass } from './pod-qos.ts';

const of = (...resources: Container['resources'][]) =>
  computeQosClass({ containers: resources.map((each, i) => ({ name: `c${i}`, resources: each })) });
const item = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1024Mi' } };

test('a pod is Guaranteed when every container asks for just what it is limited to', () => {
  assert.equal(of(item), 'Guaranteed');
  assert.equal(of(item, item), 'Guaranteed');
  assert.equal(of(item, {}), 'Burstable');
  assert.equal(of({ ...item, requests: { cpu: '1', memory: '1Mi' } }), 'Burstable');
});

test('a pod is BestEffort when nobody asks for cpu or memory', () => {
  assert.equal(of({}), 'BestEffort');
  assert.equal(of({ requests: { cpu: '0' } }), 'BestEffort');
  assert.equal(of({ limits: { 'example.com/x': '1' } }), 'BestEffort');
  assert.equal(of({ requests: { cpu: '1m' } }), 'Burstable');
});

test('what the pod as a whole asks for counts instead of its containers', () => {
  const containers = [{ name: 'c', resources: {} }];
  assert.equal(computeQosClass({ containers, resources: item }), 'Guaranteed');
  assert.equal(computeQosClass({ containers, resources: { limits: { cpu: '1' } } }), 'Burstable');
});
