import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const namespaces = kind(http, '/api/v1/namespaces');

test('Namespace: a name used in one namespace is free in another', async () => {
  for (const name of ['one', 'two']) {
    await namespaces.create({ metadata: { name } });
    const maps = `/api/v1/namespaces/${name}/configmaps`;
    assert.equal((await http.post(maps, { metadata: { name: 'same' } })).code, 201);
    assert.equal((await http.post(maps, { metadata: { name: 'same' } })).code, 409);
  }
});

test('Namespace: status has a phase and conditions, written through status alone', async () => {
  const namespace = await namespaces.create({ metadata: { name: 'with-status' } });
  assert.deepEqual(namespace.status, { phase: 'Active' });
  const condition = {
    type: 'NamespaceContentRemaining',
    status: 'False',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: 'ContentRemoved',
    message: 'all is gone',
  };
  const change = { status: { conditions: [condition] } };
  assert.deepEqual((await namespaces.update(namespace, change)).status, { phase: 'Active' });
  const written = await namespaces.update(namespace, change, 'status');
  assert.deepEqual(written.status, { phase: 'Active', conditions: [condition] });
});

test('Namespace: finalize replaces its finalizers', async () => {
  const namespace = await namespaces.create({ metadata: { name: 'finalized' } });
  assert.deepEqual(namespace.spec.finalizers, ['orch']);
  const plain = await namespaces.update(namespace, { spec: { finalizers: ['example.com/f'] } });
  assert.deepEqual(plain.spec.finalizers, ['orch']);
  const replaced = await namespaces.update(plain, { spec: { finalizers: ['example.com/f'] } }, 'finalize');
  assert.deepEqual(replaced.spec.finalizers, ['example.com/f']);
});

test('ComponentStatus: read-only, with conditions of type Healthy', async () => {
  const path = '/api/v1/componentstatuses';
  const { code, body, headers } = await http.get(path);
  assert.equal(code, 200);
  for (const { conditions } of body.items) {
    const [condition] = conditions as { type: string; status: string }[];
    assert.equal(condition!.type, 'Healthy');
    assert.ok(['True', 'False', 'Unknown'].includes(condition!.status));
  }
  const first = await http.get(`${path}/${body.items[0]!.metadata.name}`);
  assert.equal(first.body.kind, 'ComponentStatus');
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const target = method === 'POST' ? path : `${path}/${body.items[0]!.metadata.name}`;
    assert.equal((await http.request(method, target, {})).code, 405);
  }
  assert.match(headers.get('warning') ?? '', /ComponentStatus is deprecated in v1\.19\+/);
});

test('Namespace: a condition has a type, and a status that is True, False or Unknown', async () => {
  const namespace = await namespaces.create({ metadata: { name: 'with-conditions' } });
  await namespaces.invalidConditions(namespace, [{ status: 'True' }], 'type');
  for (const status of ['Maybe', 'true', '', null]) {
    await namespaces.invalidConditions(namespace, [{ type: 'Checked', status }], 'status');
  }
  const conditions = ['True', 'False', 'Unknown'].map((status) => ({ type: status, status }));
  await namespaces.update(namespace, { status: { conditions } }, 'status');
});
