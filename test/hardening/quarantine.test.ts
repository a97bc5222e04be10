// Stored objects that a cache fails on: they passed no validation, because another program wrote them to the storage. The
// server must start with them, keep serving, and say so.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { builtinKinds } from '../../src/apis/index.ts';
import { MovableClock } from '../../src/base/clock.ts';
import { orch } from '../../src/dialect/index.ts';
import { everyFeature } from '../../src/kind/features/everything.fixture.ts';
import { Registry } from '../../src/kind/registry.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { RealServer } from './real-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const registry = new Registry(builtinKinds({ dialect: orch, features: everyFeature }), orch);
const secretText = 'not-for-the-log';

/** Fields that every cache reads somewhere, with values that no client could have written. */
const corruptFields = {
  spec: 0,
  status: [null],
  webhooks: [null],
  rules: [null],
  subjects: [null],
  roleRef: secretText,
  data: [null],
};

/** Writes an object past the API, as another program does. */
async function writeCorrupt(store: MemoryStore, prefix: string, key: string, fields: object): Promise<void> {
  const metadata = { name: 'corrupt', uid: 'u', resourceVersion: '', ownerReferences: [null], finalizers: 0 };
  const json = Buffer.from(JSON.stringify({ metadata, ...fields }));
  const revisionOffset = json.indexOf('"resourceVersion":""') + '"resourceVersion":"'.length;
  const draft = {
    json,
    revisionOffset,
    listItemOffset: 1,
    labels: '',
    selectableFields: '',
    schemaFingerprint: '',
  };
  await store.commit({ prefix, key, draft });
}

async function metricValue(server: RealServer, metric: string): Promise<number> {
  const { text } = await server.ask('/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${metric} `));
  return Number(line?.split(' ').at(-1));
}

describe('while the server runs', () => {
  const server = RealServer.unstarted();
  const store = new MemoryStore({ clock: new MovableClock() });
  before(async () => {
    server.store = store;
    await server.start();
    // The caches of admission follow the store from the first write on.
    assert.equal((await server.post(configMaps, { metadata: { name: 'first' } })).code, 201);
  });
  after(() => server.stop());

  test('an object that a cache fails on is quarantined; its write and all other requests succeed', async () => {
    await writeCorrupt(
      store,
      'validatingwebhookconfigurations',
      'validatingwebhookconfigurations/corrupt',
      corruptFields,
    );
    assert.equal((await server.post(configMaps, { metadata: { name: 'second' } })).code, 201);
    assert.equal((await server.ask('/readyz')).code, 200);
    assert.equal(await metricValue(server, 'apiserver_storage_quarantined_objects'), 1);
    assert.ok((await metricValue(server, 'apiserver_storage_listener_errors_total')) >= 1);
    const log = server.log.join('');
    assert.ok(log.includes('validatingwebhookconfigurations/corrupt'));
    assert.ok(!log.includes(secretText), 'an error message may quote the object');
  });

  test('its next change ends the quarantine', async () => {
    await writeCorrupt(store, 'validatingwebhookconfigurations', 'validatingwebhookconfigurations/corrupt', {
      webhooks: [],
    });
    assert.equal(await metricValue(server, 'apiserver_storage_quarantined_objects'), 0);
  });
});

describe('at a restart', () => {
  const servers: RealServer[] = [];
  after(() => Promise.all(servers.map((server) => server.stop())));

  async function start(store: MemoryStore): Promise<RealServer> {
    const server = RealServer.unstarted();
    server.store = store;
    await server.start();
    servers.push(server);
    return server;
  }

  test('a server with a corrupt object of every kind starts and serves', async () => {
    const store = new MemoryStore({ clock: new MovableClock() });
    for (const { prefix, definition } of registry.stored) {
      if (definition.virtual) continue;
      const key = definition.namespaced ? `${prefix}/default/corrupt` : `${prefix}/corrupt`;
      await writeCorrupt(store, prefix, key, corruptFields);
    }
    const server = await start(store);
    assert.equal((await server.ask('/readyz')).code, 200);
    assert.equal((await server.post(configMaps, { metadata: { name: 'third' } })).code, 201);
    assert.ok((await metricValue(server, 'apiserver_storage_quarantined_objects')) > 0);
  });

  test('a server whose own objects are all corrupt starts and serves', async () => {
    const store = new MemoryStore({ clock: new MovableClock() });
    const first = await start(store);
    for (const { prefix } of registry.stored) {
      const view = store.pin();
      for (const key of view.keys(`${prefix}/`)) await writeCorrupt(store, prefix, key, corruptFields);
    }
    const copy = store.fork();
    await first.stop();
    const server = await start(copy);
    assert.equal((await server.ask('/readyz')).code, 200);
    assert.equal((await server.ask('/api/v1/nodes')).code, 200);
  });
});
