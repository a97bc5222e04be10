import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testServer } from '../support/client.ts';
import { apply, configMap, mergePatch, ok, owned, ownersIn } from '../support/server-side-apply.ts';

const server = testServer();

describe('every other write', () => {
  test('owns the fields that it changes: create, update, and each patch type', async () => {
    const { path, collection, intent } = configMap();
    ok(await server.post(`${collection}?fieldManager=creator`, intent({ data: { a: '1', b: '1' } })), 201);
    ok(await server.put(`${path}?fieldManager=updater`, intent({ data: { a: '2', b: '1', c: '1' } })));
    ok(await mergePatch(server, `${path}?fieldManager=merger`, { data: { d: '1' } }));
    const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
    ok(await server.request('PATCH', `${path}?fieldManager=strategist`, { data: { e: '1' } }, strategic));
    const json = { 'content-type': 'application/json-patch+json' };
    const operations = [{ op: 'add', path: '/data/f', value: '1' }];
    const last = ok(await server.request('PATCH', `${path}?fieldManager=patcher`, operations, json));
    const field = (name: string) => ({ 'f:data': { [`f:${name}`]: {} } });
    assert.deepEqual(owned(last), {
      'creator Update': { 'f:data': { '.': {}, 'f:b': {} } },
      'updater Update': { 'f:data': { 'f:a': {}, 'f:c': {} } },
      'merger Update': field('d'),
      'strategist Update': field('e'),
      'patcher Update': field('f'),
    });
  });

  test('has the User-Agent as manager by default', async () => {
    const { path, intent } = configMap();
    await apply(server, path, 'alice', intent({ data: { a: '1' } }));
    const patched = await mergePatch(
      server,
      path,
      { data: { b: '1' } },
      { 'user-agent': 'editor/1.2 (linux)' },
    );
    assert.deepEqual(Object.keys(owned(patched)), ['alice Apply', 'editor Update']);
  });

  test('that changes nothing keeps managers, time and resourceVersion', async () => {
    const { path, intent } = configMap();
    const made = await apply(server, path, 'alice', intent({ data: { a: '1' } }));
    server.server.clock.advance(10_000);
    const same = ok(await mergePatch(server, `${path}?fieldManager=bob`, { data: { a: '1' } }));
    assert.deepEqual(same.body, made.body);
  });

  test('updates only the time of the writer', async () => {
    const { path, intent } = configMap();
    const [first] = ownersIn(await apply(server, path, 'alice', intent({ data: { a: '1', b: '1' } })));
    server.server.clock.advance(10_000);
    const after = ownersIn(await mergePatch(server, `${path}?fieldManager=bob`, { data: { a: '2' } }));
    assert.deepEqual(
      after.map(({ manager, time }) => [manager, time === first!.time]),
      [
        ['alice', true],
        ['bob', false],
      ],
    );
  });

  test('beyond ten Update managers, the oldest entries are merged', async () => {
    const { path, collection, intent } = configMap();
    let last = await server.post(`${collection}?fieldManager=m0`, intent({ data: { k0: '1' } }));
    for (let i = 1; i < 12; i++) {
      server.server.clock.advance(1000);
      last = await mergePatch(server, `${path}?fieldManager=m${i}`, { data: { [`k${i}`]: '1' } });
    }
    const managers = ownersIn(last).map(({ manager }) => manager);
    assert.deepEqual(managers, ['ancient-changes', ...Array.from({ length: 9 }, (_, i) => `m${i + 3}`)]);
  });
});

describe('managedFields', () => {
  test('are dropped if a client empties them, until the next apply', async () => {
    for (const emptied of [[], [{}]]) {
      const { path, intent } = configMap();
      await apply(server, path, 'alice', intent({ data: { a: '1' } }));
      const reset = ok(await mergePatch(server, path, { metadata: { managedFields: emptied } }));
      assert.deepEqual(ownersIn(reset), []);
      assert.deepEqual(ownersIn(await mergePatch(server, path, { data: { b: '1' } })), []);
      const again = await apply(server, path, 'bob', intent({ data: { c: '1' } }));
      assert.deepEqual(owned(again), {
        'bob Apply': { 'f:data': { 'f:c': {} } },
        'before-first-apply Update': { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } },
      });
    }
  });

  test('may be edited, and invalid edits are ignored', async () => {
    const { path, intent } = configMap();
    const made = await apply(server, path, 'alice', intent({ data: { a: '1' } }));
    const renamed = ownersIn(made).map((entry) => ({ ...entry, manager: 'carol' }));
    const edited = await mergePatch(server, path, { metadata: { managedFields: renamed } });
    assert.deepEqual(Object.keys(owned(edited)), ['carol Apply']);
    const nonsense = [{ ...renamed[0], fieldsV1: { nonsense: {} } }];
    const after = await mergePatch(server, path, { metadata: { managedFields: nonsense } });
    assert.deepEqual(Object.keys(owned(after)), ['carol Apply']);
  });

  test('contain empty values too, which objects omit', async () => {
    const { path, intent } = configMap();
    const made = await apply(server, path, 'alice', intent({ data: {} }, { labels: {} }));
    assert.equal(made.body.data, undefined);
    assert.deepEqual(owned(made), { 'alice Apply': { 'f:data': {}, 'f:metadata': { 'f:labels': {} } } });
    const other = await apply(server, path, 'bob', intent({ data: {} }));
    assert.equal(other.body.message, 'Apply failed with 1 conflict: conflict with "alice": .data');
  });

  test('apply in another version of the kind', async () => {
    const name = 'in-two-versions';
    const path = (version: string) =>
      `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/${name}`;
    const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'web' } };
    const metadata = { name };
    const kind = 'HorizontalPodAutoscaler';
    const v1 = { apiVersion: 'autoscaling/v1', kind, metadata, spec: { ...spec, minReplicas: 2 } };
    ok(await apply(server, path('v1'), 'alice', v1), 201);
    const v2 = { apiVersion: 'autoscaling/v2', kind, metadata, spec: { minReplicas: 3 } };
    assert.equal((await apply(server, path('v2'), 'bob', v2)).code, 409);
    const moved = await apply(server, path('v2'), 'alice', { ...v2, spec: { ...spec } });
    assert.deepEqual(
      ownersIn(ok(moved)).map(({ manager, apiVersion }) => [manager, apiVersion]),
      [['alice', 'autoscaling/v2']],
    );
    assert.equal((moved.body.spec as { minReplicas?: number }).minReplicas, 1, 'given up, so the default');
  });
});
