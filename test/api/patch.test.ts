import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { defaultOptions } from '../../src/options.ts';
import { type RunningServer, runServer } from '../../src/server.ts';
import { silent } from '../../src/telemetry/log.ts';
import { TestClient } from './support.ts';

/** On disk, where a write takes a while, so that others come between reading and writing. */
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
    this.#running = await runServer(options, { logger: silent });
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

const patch = (name: string, body: object, type = 'merge-patch+json') =>
  server.request('PATCH', `${collection}/${name}`, body, { 'content-type': `application/${type}` });

for (const [how, metadata] of [
  ['a patch', {}],
  ['a patch that takes the resourceVersion away', { resourceVersion: null }],
] as const) {
  test(`${how} loses nothing that others write at the same time`, async () => {
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

test('a patch that names an outdated resourceVersion is refused', async () => {
  await server.post(collection, { metadata: { name: 'named' } });
  const { code, body } = await patch('named', { metadata: { resourceVersion: '1' }, data: { a: 'b' } });
  assert.equal(code, 409);
  assert.equal(body.reason, 'Conflict');
});

test('a patch of very many elements, or very deep, is answered, and the server lives on', async () => {
  await server.post(collection, { metadata: { name: 'large' } });
  const finalizers = Array.from({ length: 100_000 }, (_, i) => `a.b/c${i}`);
  const strategic = 'strategic-merge-patch+json';
  const many = await patch('large', { metadata: { finalizers } }, strategic);
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
    strategic,
  );
  assert.ok(keyed.code < 500, keyed.text.slice(0, 200));
  for (const type of ['merge-patch+json', strategic, 'json-patch+json']) {
    const nested = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    const body = type === 'json-patch+json' ? `[{"op":"add","path":"/x","value":${nested}}]` : nested;
    const deep = await server.request('PATCH', `${collection}/large`, body, {
      'content-type': `application/${type}`,
    });
    assert.ok(deep.code < 500, `${type} ${deep.code} ${deep.text.slice(0, 200)}`);
  }
  assert.equal((await server.get(`${collection}/large`)).code, 200);
});
