import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type TestResponse, testServer } from '../support/client.ts';
import { apply, configMap, deployment, mergePatch, ok, owned } from '../support/server-side-apply.ts';

const server = testServer();

describe('applying', () => {
  test('creates a missing object with 201, then answers 200', async () => {
    const { path, intent } = configMap();
    const created = ok(await apply(server, path, 'alice', intent({ data: { color: 'blue' } })), 201);
    assert.deepEqual(created.body.data, { color: 'blue' });
    assert.deepEqual(owned(created), { 'alice Apply': { 'f:data': { 'f:color': {} } } });
    ok(await apply(server, path, 'alice', intent({ data: { color: 'blue' } })));
  });

  test('accepts YAML', async () => {
    const { path } = configMap();
    const yaml = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${path.split('/').at(-1)}\ndata: {a: "1"}\n`;
    assert.deepEqual(ok(await apply(server, path, 'alice', yaml), 201).body.data, { a: '1' });
  });

  test('an unchanged configuration writes nothing', async () => {
    const { path, intent } = configMap();
    const first = await apply(server, path, 'alice', intent({ data: { color: 'blue' } }));
    server.server.clock.advance(10_000);
    const second = await apply(server, path, 'alice', intent({ data: { color: 'blue' } }));
    assert.deepEqual(second.body, first.body);
  });

  test('an equal configuration in other notation writes nothing', async () => {
    const { path, intent } = configMap();
    const empty = intent({ data: { a: '1' }, binaryData: {} }, { labels: {}, finalizers: [] });
    const first = ok(await apply(server, path, 'alice', empty), 201);
    server.server.clock.advance(10_000);
    assert.deepEqual((await apply(server, path, 'alice', empty)).body, first.body);
  });

  test('applies defaults, which have no field manager', async () => {
    const { path, whole } = deployment();
    const made = ok(await apply(server, path, 'alice', whole), 201);
    assert.equal(made.body.spec.replicas, 1);
    assert.deepEqual(Object.keys(owned(made)), ['alice Apply']);
    assert.ok(!JSON.stringify(owned(made)).includes('replicas'));
  });

  test('a dry run returns the result, and changes nothing', async () => {
    const { path, intent } = configMap();
    ok(await apply(server, path, 'alice', intent({ data: { a: '1' } }), { dryRun: true }), 201);
    assert.equal((await server.get(path)).code, 404);
    const made = await apply(server, path, 'alice', intent({ data: { a: '1' } }));
    const dry = ok(await apply(server, path, 'bob', intent({ data: { b: '1' } }), { dryRun: true }));
    assert.deepEqual(Object.keys(owned(dry)), ['alice Apply', 'bob Apply']);
    assert.deepEqual((await server.get(path)).body, made.body);
    const conflict = await apply(server, path, 'bob', intent({ data: { a: '2' } }), { dryRun: true });
    assert.equal(conflict.code, 409);
  });

  test('a configuration that makes the object invalid changes nothing', async () => {
    const { path, intent } = configMap();
    const made = await apply(server, path, 'alice', intent({ data: { a: '1' } }));
    const refused = await apply(server, path, 'alice', intent({ data: { 'not a key': '1' } }));
    assert.equal(refused.code, 422);
    assert.deepEqual((await server.get(path)).body, made.body);
  });

  test('a configuration may have a resourceVersion as precondition', async () => {
    const { path, intent } = configMap();
    const made = await apply(server, path, 'alice', intent());
    const { resourceVersion } = made.body.metadata;
    ok(await apply(server, path, 'alice', intent({ data: { a: '1' } }, { resourceVersion })));
    const stale = await apply(server, path, 'alice', intent({ data: { a: '2' } }, { resourceVersion }));
    assert.equal(stale.code, 409);
    assert.match(stale.body.message, /the object has been modified/);
  });
});

describe('a conflict', () => {
  test('names each field with its manager, and nothing is changed', async () => {
    const { path, intent } = configMap();
    const made = await apply(server, path, 'alice', intent({ data: { a: '1', b: '1' } }));
    const { code, body } = await apply(server, path, 'bob', intent({ data: { a: '2', b: '2', c: '3' } }));
    assert.equal(code, 409);
    assert.equal(body.reason, 'Conflict');
    assert.equal(
      body.message,
      'Apply failed with 2 conflicts: conflicts with "alice":\n- .data.a\n- .data.b',
    );
    assert.deepEqual(body.details.causes, [
      { reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.data.a' },
      { reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.data.b' },
    ]);
    assert.deepEqual((await server.get(path)).body, made.body);
  });

  test('with an Update manager names the version', async () => {
    const { path, collection, intent } = configMap();
    ok(await server.post(`${collection}?fieldManager=editor`, intent({ data: { a: '1' } })), 201);
    const { body } = await apply(server, path, 'bob', intent({ data: { a: '2' } }));
    assert.equal(body.message, 'Apply failed with 1 conflict: conflict with "editor" using v1: .data.a');
  });

  test('is resolved with force: the field gets the new manager', async () => {
    const { path, intent } = configMap();
    await apply(server, path, 'alice', intent({ data: { a: '1', b: '1' } }));
    const forced = ok(await apply(server, path, 'bob', intent({ data: { a: '2' } }), { force: true }));
    assert.deepEqual(forced.body.data, { a: '2', b: '1' });
    assert.deepEqual(owned(forced), {
      'alice Apply': { 'f:data': { 'f:b': {} } },
      'bob Apply': { 'f:data': { 'f:a': {} } },
    });
    assert.equal((await apply(server, path, 'alice', intent({ data: { a: '1', b: '1' } }))).code, 409);
  });

  test('does not arise for equal values: the field is shared, and then neither manager changes it alone', async () => {
    const { path, intent } = configMap();
    await apply(server, path, 'alice', intent({ data: { a: '1' } }));
    const shared = ok(await apply(server, path, 'bob', intent({ data: { a: '1' } })));
    const fields = { 'f:data': { 'f:a': {} } };
    assert.deepEqual(owned(shared), { 'alice Apply': fields, 'bob Apply': fields });
    assert.equal((await apply(server, path, 'alice', intent({ data: { a: '2' } }))).code, 409);
    assert.equal((await apply(server, path, 'bob', intent({ data: { a: '2' } }))).code, 409);
  });

  test('never arises for other writes: they take over the field', async () => {
    const { path, intent } = configMap();
    await apply(server, path, 'alice', intent({ data: { a: '1' } }));
    const patched = ok(await mergePatch(server, `${path}?fieldManager=bob`, { data: { a: '2' } }));
    assert.deepEqual(owned(patched), { 'bob Update': { 'f:data': { 'f:a': {} } } });
  });
});

describe('a field that is no longer applied', () => {
  test('is removed unless another manager owns it', async () => {
    const { path, intent } = configMap();
    await apply(server, path, 'alice', intent({ data: { a: '1', b: '1' } }, { labels: { x: 'y' } }));
    await apply(server, path, 'bob', intent({ data: { b: '1' } }));
    const left = ok(await apply(server, path, 'alice', intent()));
    assert.deepEqual(left.body.data, { b: '1' });
    assert.equal(left.body.metadata.labels, undefined);
    assert.deepEqual(owned(left), { 'bob Apply': { 'f:data': { 'f:b': {} } } });
  });

  test('is reset to its default', async () => {
    const { path, whole, of } = deployment();
    await apply(server, path, 'alice', whole);
    assert.equal((await apply(server, path, 'bob', of({ replicas: 5 }))).body.spec.replicas, 5);
    assert.equal((await apply(server, path, 'bob', of({}))).body.spec.replicas, 1);
  });
});

describe('lists', () => {
  const containersOf = ({ body }: TestResponse) =>
    (body.spec as { template: { spec: { containers: { name: string }[] } } }).template.spec.containers;
  const containers = (...list: object[]) => ({ template: { spec: { containers: list } } });

  test('by key: managers add elements and fields beside each other', async () => {
    const { path, whole, of } = deployment();
    await apply(server, path, 'alice', whole);
    const sidecar = { name: 'proxy', image: 'envoy' };
    const both = await apply(
      server,
      path,
      'bob',
      of(containers({ name: 'main', workingDir: '/srv' }, sidecar)),
    );
    assert.deepEqual(
      containersOf(ok(both)).map(({ name }) => name),
      ['main', 'proxy'],
    );
    const left = await apply(server, path, 'bob', of({}));
    assert.deepEqual(
      containersOf(left).map((container) => [container.name, 'workingDir' in container]),
      [['main', false]],
    );
  });

  test('an omitted key has its default', async () => {
    const { path, whole, of } = deployment();
    await apply(server, path, 'alice', whole);
    const port = (more: object) => of(containers({ name: 'main', ports: [{ containerPort: 53, ...more }] }));
    await apply(server, path, 'bob', port({ name: 'dns' }));
    const same = await apply(server, path, 'carol', port({ protocol: 'TCP', name: 'other' }));
    assert.equal(same.code, 409);
    assert.match(
      same.body.message,
      /\.spec\.template\.spec\.containers\[name="main"\]\.ports\[containerPort=53,protocol="TCP"\]\.name$/,
    );
    const other = ok(await apply(server, path, 'carol', port({ protocol: 'UDP', name: 'other' })));
    assert.deepEqual((containersOf(other)[0] as { ports?: object }).ports, [
      { containerPort: 53, name: 'dns', protocol: 'TCP' },
      { containerPort: 53, name: 'other', protocol: 'UDP' },
    ]);
  });

  test('of type set: each value has its managers', async () => {
    const { path, intent } = configMap();
    await apply(server, path, 'alice', intent({}, { finalizers: ['a.example/x'] }));
    const both = await apply(server, path, 'bob', intent({}, { finalizers: ['b.example/y', 'a.example/x'] }));
    assert.deepEqual(ok(both).body.metadata.finalizers, ['b.example/y', 'a.example/x']);
    assert.deepEqual(owned(both)['bob Apply'], {
      'f:metadata': { 'f:finalizers': { 'v:"a.example/x"': {}, 'v:"b.example/y"': {} } },
    });
    assert.deepEqual((await apply(server, path, 'bob', intent())).body.metadata.finalizers, ['a.example/x']);
    await apply(server, path, 'alice', intent());
  });

  test('of type atomic: any change is a conflict', async () => {
    const { path, whole, of } = deployment();
    await apply(server, path, 'alice', whole);
    await apply(server, path, 'bob', of(containers({ name: 'main', args: ['a'] })));
    const { code, body } = await apply(
      server,
      path,
      'carol',
      of(containers({ name: 'main', args: ['a', 'b'] })),
    );
    assert.equal(code, 409);
    assert.match(body.message, /containers\[name="main"\]\.args$/);
  });

  test('duplicate elements are rejected', async () => {
    const { path, of } = deployment();
    const twice = of(containers({ name: 'main' }, { name: 'main' }));
    const { body } = await apply(server, path, 'alice', twice);
    assert.match(
      body.message,
      /\.spec\.template\.spec\.containers: duplicate entries for key \[name="main"\]$/,
    );
  });
});

describe('subresources', () => {
  test('status has its own managedFields entry, and each write changes only its part', async () => {
    const { path, whole, of } = deployment();
    await apply(server, path, 'alice', whole);
    const status = { ...of({ replicas: 9 }), status: { observedGeneration: 7 } };
    const after = ok(await apply(server, `${path}/status`, 'alice', status));
    assert.equal(after.body.spec.replicas, 1);
    assert.deepEqual(owned(after)['alice Apply/status'], { 'f:status': { 'f:observedGeneration': {} } });
    assert.equal(Object.keys(owned(after)).length, 2);
    const main = ok(await apply(server, path, 'alice', { ...whole, status: { observedGeneration: 8 } }));
    assert.deepEqual(main.body.status, { observedGeneration: 7 });
  });

  test('an apply to scale owns spec.replicas of the object', async () => {
    const { path, whole, of } = deployment();
    await apply(server, path, 'alice', whole);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: path.split('/').at(-1) } };
    const four = { ...scale, spec: { replicas: 4 } };
    const refused = await apply(server, `${path}/scale`, 'scaler', four);
    assert.match(refused.body.message, /conflict with "before-first-apply" with subresource "scale"/);
    ok(await apply(server, `${path}/scale`, 'scaler', four, { force: true }));
    const after = await server.get(path);
    assert.equal(after.body.spec.replicas, 4);
    assert.deepEqual(owned(after)['scaler Apply/scale'], { 'f:spec': { 'f:replicas': {} } });
    assert.equal((await apply(server, path, 'bob', of({ replicas: 2 }))).code, 409);
  });

  test('an apply to the status of a missing object is 404', async () => {
    const { path, of } = deployment();
    assert.equal((await apply(server, `${path}/status`, 'alice', of({}))).code, 404);
  });
});
