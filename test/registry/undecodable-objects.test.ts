import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { defaultOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { LmdbStore } from '../../src/store/lmdb/lmdb-store.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { summarize, TestClient } from '../support/client.ts';
import { asKind, protobuf } from '../support/media-types.ts';

const ignore = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';
const jsonEnds = "couldn't get version/kind; json parse error: unexpected end of JSON input";

class BreakableServer extends TestClient {
  readonly store: Store;
  readonly #server: RunningServer;

  private constructor(store: Store, server: RunningServer) {
    super();
    this.store = store;
    this.#server = server;
  }

  static async start(store: Store): Promise<BreakableServer> {
    const options = { ...defaultOptions, httpPort: 0, securePort: undefined };
    return new BreakableServer(
      store,
      await runServer(options, { store, clock: systemClock, logger: silentLogger }),
    );
  }

  get url(): string {
    return this.#server.url;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  /**
   * Truncates the stored JSON of an object; returns the revision. Without a fingerprint the bytes claim to be written under another
   * schema than the current one, else under the given one.
   */
  async break(key: string, schemaFingerprint = 'another schema'): Promise<number> {
    const head = '{"kind":"ConfigMap","apiVersion":"v1",';
    const start = `${head}"metadata":{"resourceVersion":"`;
    const draft = {
      json: Buffer.from(`${start}",`),
      revisionOffset: start.length,
      listItemOffset: head.length,
      labels: '',
      selectableFields: '',
      schemaFingerprint,
    };
    return (await this.store.commit({ prefix: key.slice(0, key.indexOf('/')), key, draft })).revision;
  }

  /** A namespace with objects a, b and c, of which b is broken. */
  async withBroken(): Promise<{ path: string; key: string; revision: number }> {
    const path = await this.namespace();
    for (const name of ['a', 'b', 'c']) {
      await this.post(path, { metadata: { name, labels: { is: name } }, data: { of: name } });
    }
    const key = `configmaps/${path.split('/')[4]}/b`;
    return { path, key, revision: await this.break(key) };
  }
}

async function inFolder(
  open: (dir: string) => Store,
): Promise<{ store: Store; remove: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'orch-unreadable-'));
  return { store: open(join(dir, 'store')), remove: () => rm(dir, { recursive: true }) };
}

const backends = {
  memory: async () => ({ store: new MemoryStore({ clock: systemClock }), remove: async () => {} }),
  lmdb: () => inFolder((dir) => LmdbStore.open({ dir, clock: systemClock, dialect: 'orch' })),
};

for (const [backend, open] of Object.entries(backends)) {
  describe(`an undecodable object, in ${backend}`, () => {
    let api: BreakableServer;
    let remove: () => Promise<void>;
    before(async () => {
      const opened = await open();
      api = await BreakableServer.start(opened.store);
      remove = opened.remove;
    });
    after(async () => {
      await api.stop();
      await remove();
    });

    test('fails get, update and delete, and its name is taken', async () => {
      const { path, key, revision } = await api.withBroken();
      const problem = `object not decodable revision=${revision}: ${jsonEnds}`;
      const message = `StorageError: corrupt object, Code: 7, Key: /${key}, ResourceVersion: 0, AdditionalErrorMsg: ${problem}`;
      const corrupt = {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `Internal error occurred: ${message}`,
        reason: 'InternalError',
        details: { causes: [{ message }] },
        code: 500,
      };
      assert.deepEqual((await api.get(`${path}/b`)).body, corrupt);
      assert.deepEqual((await api.delete(`${path}/b`)).body, corrupt);
      assert.deepEqual((await api.delete(`${path}/b?dryRun=All`)).body, corrupt);
      const { code, body } = await api.put(`${path}/b`, { metadata: { name: 'b' } });
      assert.deepEqual([code, body.message, body.reason], [500, problem, undefined]);
      assert.equal((await api.post(path, { metadata: { name: 'b' } })).code, 409);
      assert.equal((await api.get(`${path}/a`)).body.data.of, 'a');
    });

    test('fails lists that contain it, with its name, and no others', async () => {
      const { path, key, revision } = await api.withBroken();
      const field = `/registry/${key}`;
      const problem = `object not decodable revision=${revision}: ${jsonEnds}`;
      const { body } = await api.get(path);
      assert.deepEqual(body, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'failed to read one or more configmaps from the storage',
        reason: 'StorageReadError',
        details: {
          name: 'list',
          kind: 'configmaps',
          causes: [
            {
              reason: 'UnexpectedServerResponse',
              message: `StorageError: corrupt object, Code: 7, Key: ${field}, ResourceVersion: 0, AdditionalErrorMsg: ${problem}`,
              field,
            },
          ],
        },
        code: 500,
      });
      assert.equal((await api.get(`${path}?limit=2`)).code, 500);
      const first = await api.get(`${path}?limit=1`);
      assert.deepEqual([first.code, first.body.items[0]?.metadata.name], [200, 'a']);
      for (const accept of [`application/json;${asKind('Table')}`, protobuf]) {
        assert.equal((await api.get(path, { accept })).code, 500);
        assert.equal((await api.get(`${path}?limit=1`, { accept })).code, 200);
      }
      const others = await api.get(`${path}?labelSelector=is%20in%20(a,b,c)`);
      assert.equal(others.body.items.length, 2);
      assert.equal((await api.get(`${path}?fieldSelector=metadata.name%3Dc`)).code, 200);

      const collection = await api.delete(path);
      assert.deepEqual([collection.code, collection.body.reason], [500, 'StorageReadError']);
      assert.equal((await api.get(`${path}/a`)).code, 200);
      assert.equal((await api.delete(`${path}?labelSelector=is%3Dc`)).code, 200);
    });

    test('is deleted with ignoreStoreReadErrorWithClusterBreakingPotential', async () => {
      const { path } = await api.withBroken();
      const { code, body } = await api.delete(`${path}/b?${ignore}`);
      assert.equal(code, 200);
      assert.deepEqual(body, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'b', kind: 'ConfigMap' },
        code: 200,
      });
      assert.equal((await api.get(`${path}/b`)).code, 404);
      assert.deepEqual(
        (await api.get(path)).body.items.map(({ metadata }) => metadata.name),
        ['a', 'c'],
      );
      assert.equal((await api.post(path, { metadata: { name: 'b' } })).code, 201);
    });

    test('is not deleted with other options beside it', async () => {
      const { path } = await api.withBroken();
      const option = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
      for (const more of [
        { dryRun: ['All'] },
        { propagationPolicy: 'Background' },
        { orphanDependents: false },
        { gracePeriodSeconds: 0 },
        { preconditions: { uid: 'x' } },
      ]) {
        const { code, body } = await api.delete(`${path}/b`, { ...option, ...more });
        assert.equal(code, 422);
        assert.match(body.message, new RegExp(`cannot be set together with \\.${Object.keys(more)[0]}$`));
      }
      assert.equal((await api.delete(`${path}?${ignore}`)).code, 422);
      assert.equal((await api.get(`${path}/b`)).code, 500);
      assert.equal((await api.delete(`${path}/b`, option)).code, 200);
      for (const name of ['a', 'b']) assert.equal((await api.delete(`${path}/${name}?${ignore}`)).code, 422);
    });

    test('ends watches that would send it with an ERROR event, and does not affect others', async () => {
      const { path, key, revision } = await api.withBroken();
      const all = await api.watch(`${path}?watch=1&resourceVersion=${revision}`);
      const some = await api.watch(`${path}?watch=1&labelSelector=is&resourceVersion=${revision}`);
      await api.put(`${path}/a`, { metadata: { name: 'a', labels: { is: 'a' } }, data: { of: 'A' } });
      assert.equal((await all.next())?.object.metadata.name, 'a');
      await api.break(key);
      const [end, ...more] = await all.rest();
      assert.deepEqual([end?.type, end?.object.code, end?.object.reason], ['ERROR', 500, 'InternalError']);
      assert.match(end?.object.message ?? '', /corrupt object.*\/b,/);
      assert.deepEqual(more, []);
      const initial = await (await api.watch(`${path}?watch=1`)).rest();
      assert.equal(initial.at(-1)?.object.code, 500);

      await api.delete(`${path}/b?${ignore}`);
      await api.post(path, { metadata: { name: 'd', labels: { is: 'd' } } });
      assert.deepEqual(summarize([(await some.next())!, (await some.next())!]), ['MODIFIED a', 'ADDED d']);
      some.close();
      const { body: list } = await api.get(path);
      const again = await api.watch(`${path}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
      await api.delete(`${path}/d`);
      assert.deepEqual(summarize([(await again.next())!]), ['DELETED d']);
      again.close();
    });

    test('can be deleted only so although its schema fingerprint is current', async () => {
      const { path, key } = await api.withBroken();
      await api.break(key, api.store.get(key.replace(/b$/, 'a'))!.schemaFingerprint);
      assert.equal((await api.delete(`${path}/b`)).code, 500);
      assert.equal((await api.put(`${path}/b`, { metadata: { name: 'b' } })).code, 500);
      assert.equal((await api.delete(`${path}/b?${ignore}`)).code, 200);
      assert.equal((await api.get(path)).body.items.length, 2);
    });

    test('is one of many: a list names a hundred and reports that there are more', async () => {
      const path = await api.namespace();
      const name = (i: number) => `${path.split('/')[4]}/o${String(i).padStart(3, '0')}`;
      for (let i = 0; i < 105; i++) await api.break(`configmaps/${name(i)}`);
      const { causes } = (await api.get(path)).body.details;
      assert.equal(causes.length, 101);
      assert.equal(causes[99]?.field, `/registry/configmaps/${name(99)}`);
      assert.deepEqual(causes[100], {
        reason: 'FieldValueTooMany',
        message: 'too many errors, the list is truncated',
      });
    });

    test('aborts a list that has been partly sent', async () => {
      const { path } = await api.withBroken();
      const content = 'x'.repeat(200_000);
      await api.put(`${path}/a`, { metadata: { name: 'a' }, data: { content } });
      await assert.rejects(api.get(path, { 'accept-encoding': 'identity' }));
      await assert.rejects(api.get(path, { 'accept-encoding': 'gzip' }));
      assert.equal((await api.get(`${path}/a`)).code, 200);
    });

    test('is a namespace: it is deleted too, while a readable one is not', async () => {
      const { body: made } = await api.post('/api/v1/namespaces', { metadata: { generateName: 'test-' } });
      const path = `/api/v1/namespaces/${made.metadata.name}`;
      const { code, body } = await api.delete(`${path}?${ignore}`);
      assert.equal(code, 500);
      assert.match(body.message, /no unsafe deleter provided/);
      await api.break(`namespaces/${made.metadata.name}`);
      assert.equal((await api.get('/api/v1/namespaces')).code, 500);
      assert.equal((await api.delete(`${path}?${ignore}`)).code, 200);
      assert.equal((await api.get(path)).code, 404);
      assert.equal((await api.get('/api/v1/namespaces')).code, 200);
    });
  });
}
