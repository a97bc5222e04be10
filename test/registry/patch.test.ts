import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { defaultOptions } from '../../src/server/options.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { TestClient } from '../support/client.ts';
import { runServer } from '../support/servers.ts';

/** On disk, where a write takes a while, so that concurrent writes come between reading and writing. */
class DurableServer extends TestClient {
  #running: RunningServer | undefined;
  #folder = '';

  get url(): string {
    return this.#running?.url ?? '';
  }

  async start(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'orch-patch-'));
    const places = { dataDir: this.#folder, certDir: join(this.#folder, 'pki') };
    const options = { ...defaultOptions, ...places, httpPort: 0, securePort: undefined };
    this.#running = await runServer(options, { logger: silentLogger });
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const server = new DurableServer();
before(() => server.start());
after(() => server.stop());
const collection = '/api/v1/namespaces/default/configmaps';

const patchAt = (path: string, body: unknown, type = 'merge-patch+json') =>
  server.request('PATCH', path, body, { 'content-type': `application/${type}` });
const patch = (name: string, body: unknown, type?: string) => patchAt(`${collection}/${name}`, body, type);
const jsonType = 'json-patch+json';
const strategicType = 'strategic-merge-patch+json';

for (const [how, metadata] of [
  ['a patch', {}],
  ['a patch that takes the resourceVersion away', { resourceVersion: null }],
] as const) {
  test(`${how} loses no concurrent write`, async () => {
    const name = how.replaceAll(' ', '-').toLowerCase();
    await server.post(collection, { metadata: { name } });
    const keys = Array.from({ length: 60 }, (_, i) => `k${i}`);
    const codes = await Promise.all(
      keys.map(async (key) => (await patch(name, { metadata, data: { [key]: 'v' } })).code),
    );
    assert.deepEqual(new Set(codes), new Set([200]));
    const { body } = await server.get(`${collection}/${name}`);
    assert.deepEqual(Object.keys(body.data).sort(), keys.sort());
  });
}

test('a patch with an old resourceVersion is rejected', async () => {
  await server.post(collection, { metadata: { name: 'named' } });
  const { code, body } = await patch('named', { metadata: { resourceVersion: '1' }, data: { a: 'b' } });
  assert.equal(code, 409);
  assert.equal(body.reason, 'Conflict');
});

test('a patch with very many elements, or very deep, is answered, and the server still responds', async () => {
  await server.post(collection, { metadata: { name: 'large' } });
  const finalizers = Array.from({ length: 100_000 }, (_, i) => `a.b/c${i}`);
  const many = await patch('large', { metadata: { finalizers } }, strategicType);
  assert.ok(many.code < 500, many.text.slice(0, 200));
  const owners = Array.from({ length: 60_000 }, (_, i) => ({
    uid: `u${i}`,
    name: 'n',
    kind: 'K',
    apiVersion: 'v1',
  }));
  const order = { '$setElementOrder/ownerReferences': owners.map(({ uid }) => ({ uid })) };
  const keyed = await patch(
    'large',
    { metadata: { ownerReferences: owners.slice(0, 20_000), ...order } },
    strategicType,
  );
  assert.ok(keyed.code < 500, keyed.text.slice(0, 200));
  for (const type of ['merge-patch+json', strategicType, jsonType]) {
    const nested = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    const body = type === jsonType ? `[{"op":"add","path":"/x","value":${nested}}]` : nested;
    const deep = await server.request('PATCH', `${collection}/large`, body, {
      'content-type': `application/${type}`,
    });
    assert.ok(deep.code < 500, `${type} ${deep.code} ${deep.text.slice(0, 200)}`);
  }
  assert.equal((await server.get(`${collection}/large`)).code, 200);
});

test('resourceVersion and uid in a patch are preconditions', async () => {
  const { body: made } = await server.post(collection, { metadata: { name: 'which' } });
  const { resourceVersion, uid } = made.metadata;
  const named = await patch('which', { metadata: { resourceVersion, uid }, data: { a: '1' } });
  assert.equal(named.code, 200);
  const late = await patch('which', { metadata: { resourceVersion }, data: { a: '2' } });
  assert.equal(late.body.reason, 'Conflict');
  const tested = [
    { op: 'test', path: '/metadata/uid', value: 'other' },
    { op: 'remove', path: '/data' },
  ];
  assert.equal((await patch('which', tested, jsonType)).code, 422);
  assert.equal((await patch('which', { metadata: { uid: 'other' } })).code, 422);
  assert.equal((await patch('which', { metadata: { name: 'other' } })).code, 400);
  assert.equal((await patch('which', { metadata: { namespace: 'other' } })).code, 400);
  assert.equal((await patch('which', { kind: 'Secret' })).code, 422);
  assert.equal((await patch('which', { kind: 'Secret' }, strategicType)).body.kind, 'ConfigMap');
  assert.deepEqual((await server.get(`${collection}/which`)).body.data, { a: '1' });
});

test('a missing object is 404, whatever the patch', async () => {
  for (const [type, body] of [
    ['merge-patch+json', '{'],
    [strategicType, '{"$patch":"bogus"}'],
    [jsonType, Array.from({ length: 10_001 }, () => ({}))],
  ] as const) {
    const { code, body: status } = await patch('none', body, type);
    assert.equal(code, 404);
    assert.equal(status.message, 'configmaps "none" not found');
  }
});

test('the number of operations of a JSON patch is limited', async () => {
  await server.post(collection, { metadata: { name: 'steps' }, data: { k: 'v' } });
  const steps = (count: number) =>
    Array.from({ length: count }, () => ({ op: 'test', path: '/data/k', value: 'v' }));
  assert.equal((await patch('steps', steps(10_000), jsonType)).code, 200);
  const { code, body } = await patch('steps', steps(10_001), jsonType);
  assert.equal(code, 413);
  assert.equal(
    body.message,
    'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  );
  const doubling = Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '/data', path: `/data/c${i}` }));
  const big = [{ op: 'add', path: '/data/big', value: 'x'.repeat(1000) }, ...doubling];
  assert.equal((await patch('steps', big, jsonType)).code, 422);
  const tooLarge = `{"data":{"k":"${'x'.repeat(3 * 1024 * 1024)}"}}`;
  assert.equal((await patch('steps', tooLarge)).code, 413);
});

test('duplicate and unknown fields of a patch are warned about, rejected or ignored by fieldValidation', async () => {
  await server.post(collection, { metadata: { name: 'fields' } });
  const body = '{"data":{"a":"1","a":"2"},"bogus":1}';
  for (const type of ['merge-patch+json', strategicType]) {
    const ask = (how: string) => patch(`fields?dryRun=All&fieldValidation=${how}`, body, type);
    const warned = await ask('Warn');
    assert.equal(warned.code, 200);
    assert.match(
      warned.headers.get('warning') ?? '',
      /duplicate field \\"data.a\\".*unknown field \\"bogus\\"/,
    );
    const refused = await ask('Strict');
    assert.equal(refused.code, 422);
    assert.match(
      refused.body.message,
      /strict decoding error: duplicate field "data.a", unknown field "bogus"$/,
    );
    const quiet = await ask('Ignore');
    assert.equal(quiet.code, 200);
    assert.equal(quiet.headers.get('warning'), null);
    assert.deepEqual(quiet.body.data, { a: '2' });
  }
});

test('a dry run patches nothing, and a patch that changes nothing writes nothing', async () => {
  const { body: made } = await server.post(collection, { metadata: { name: 'dry' }, data: { a: '1' } });
  const dry = await patch('dry?dryRun=All', { data: { a: '2' } });
  assert.deepEqual(dry.body.data, { a: '2' });
  const same = await patch('dry', { data: { a: '1' } });
  assert.equal(same.body.metadata.resourceVersion, made.metadata.resourceVersion);
});

async function makeDeployment(name: string): Promise<string> {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const labels = { app: 'a' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await server.post(deployments, {
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template },
  });
  return `${deployments}/${name}`;
}

test('subresources can be patched', async () => {
  const path = await makeDeployment('parts');
  const scaled = await patchAt(
    `${path}/scale`,
    [{ op: 'replace', path: '/spec/replicas', value: 4 }],
    jsonType,
  );
  assert.equal(scaled.body.kind, 'Scale');
  assert.deepEqual(scaled.body.spec, { replicas: 4 });
  const condition = { type: 'Available', status: 'True' };
  const patched = await patchAt(
    `${path}/status`,
    { spec: { replicas: 9 }, status: { replicas: 2, conditions: [condition] } },
    strategicType,
  );
  assert.equal(patched.body.spec.replicas, 4);
  assert.equal((patched.body.status as { replicas: number }).replicas, 2);
  const conflict = await patchAt(`${path}/scale`, { metadata: { resourceVersion: '1' } });
  assert.equal(conflict.code, 409);
});

test('concurrent patches of scale all succeed', async () => {
  const path = await makeDeployment('together');
  const codes = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const scaled = await patchAt(`${path}/scale`, { spec: { replicas: i } });
      const labelled = await patchAt(path, { metadata: { labels: { [`l${i}`]: 'x' } } }, strategicType);
      return [scaled.code, labelled.code];
    }),
  );
  assert.deepEqual(new Set(codes.flat()), new Set([200]));
  const { body } = await server.get(path);
  assert.equal(Object.keys(body.metadata.labels).length, 20);
});

test('an unsupported patch type is 415 with the supported ones', async () => {
  await server.post(collection, { metadata: { name: 'types' } });
  assert.equal((await patch('types', {}, 'merge-patch+json; charset=utf-8')).code, 200);
  const plain = await patch('types', {}, 'json');
  assert.deepEqual([plain.code, plain.body.message], [415, '415: Unsupported Media Type']);
  const list = await patch('types', {}, 'merge-patch+json, text/plain');
  assert.equal(list.code, 415);
  assert.match(
    list.body.message,
    /accepted media types include: application\/json-patch\+json, application\/merge-patch\+json, application\/strategic-merge-patch\+json, application\/apply-patch\+yaml/,
  );
});
