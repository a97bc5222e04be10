// Storage that is full: by its quota, or because the disk has no space left, also for reasons outside this server.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { ServerOptions } from '../../src/server/options.ts';
import { checkDirectory } from '../../src/store/lmdb/check.ts';
import { smallDisk, takeRest } from '../faults/small-disk.ts';
import type { HttpResponse } from '../support/http.ts';
import { RealServer } from './real-server.ts';

const MEGABYTE = 1024 * 1024;
const CLIENTS = 8;
const path = '/api/v1/namespaces/default/configmaps';

const configMap = (name: string, bytes: number, metadata = {}) => ({
  metadata: { name, ...metadata },
  data: { content: 'x'.repeat(bytes) },
});

/** Upstream's response when etcd has exceeded its quota: 500 without a reason. */
function assertFull({ code, text }: HttpResponse): void {
  assert.equal(code, 500, text);
  const status = JSON.parse(text);
  assert.deepEqual([status.kind, status.status, status.reason], ['Status', 'Failure', undefined]);
  assert.match(status.message, /^etcdserver: mvcc: database space exceeded: /);
}

/** Creates objects from several clients until each is rejected; returns their names. */
async function fill(server: RealServer, bytes: number, round = 0): Promise<string[]> {
  const names: string[] = [];
  const create = async (client: number) => {
    for (let number = 0; ; number++) {
      const name = `filler-${bytes}-${round}-${client}-${number}`;
      const response = await server.post(path, configMap(name, bytes), { plain: true });
      if (response.code !== 201) return assertFull(response);
      names.push(name);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => create(client)));
  return names;
}

/** Fills with large and small objects. A full store shortens its history, which makes space for a few more. */
async function fillUp(server: RealServer, bytes: number): Promise<string[]> {
  const names: string[] = [];
  for (let round = 0; ; round++) {
    const added = [...(await fill(server, bytes, round)), ...(await fill(server, 2_000, round))];
    if (added.length === 0) return names;
    names.push(...added);
    server.clock.advance(10_000);
    await setTimeout(300);
  }
}

async function deleteAll(server: RealServer, names: readonly string[]): Promise<void> {
  const left = [...names];
  const remove = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      const { code, text } = await server.ask(`${path}/${name}`, { method: 'DELETE', plain: true });
      assert.equal(code, 200, `${name}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, remove));
}

/** The clock goes on meanwhile, as compaction and expiry try again later if a write has failed. */
async function eventually({ clock }: RealServer, isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) {
    clock.advance(1_000);
    await setTimeout(50);
  }
}

async function withServer(options: Partial<ServerOptions>, run: (server: RealServer) => Promise<void>) {
  const server = new RealServer({ storage: 'lmdb', ...options }, 'by hand');
  await server.start();
  try {
    await run(server);
  } finally {
    await server.stop();
  }
}

async function assertReportsFull(server: RealServer, cause: RegExp): Promise<void> {
  const ready = await server.ask('/readyz');
  assert.equal(ready.code, 500);
  assert.match(ready.text, /^\[-\]storage-space failed: reason withheld$/m);
  assert.match((await server.ask('/readyz/storage-space')).text, cause);
  assert.equal((await server.ask('/readyz?exclude=storage-space')).code, 200);
  assert.equal((await server.ask('/livez')).code, 200);
  assert.match((await server.ask('/metrics')).text, /^apiserver_storage_out_of_space 1$/m);
  assert.ok(server.log.some((line) => line.includes('storage is out of space')));
}

/** Updates of a full store: those that grow are rejected, those that do not, and deletions, are not. */
async function assertFreesSpace(server: RealServer, name: string): Promise<void> {
  assertFull(await server.send('PUT', `${path}/${name}`, configMap(name, 1_000_000)));
  assertFull(await server.post(path, configMap('small', 200_000)));
  const shrunk = await server.send('PUT', `${path}/${name}`, configMap(name, 10));
  assert.equal(shrunk.code, 200, shrunk.text);
  // A deletion that waits for a finalizer is an update that adds a few fields.
  assert.equal((await server.ask(`${path}/finalized`, { method: 'DELETE' })).code, 200);
  const withoutFinalizer = await server.send(
    'PATCH',
    `${path}/finalized`,
    '{"metadata":{"finalizers":null}}',
    {
      headers: { 'content-type': 'application/merge-patch+json' },
    },
  );
  assert.equal(withoutFinalizer.code, 200, withoutFinalizer.text);
  assert.equal((await server.ask(`${path}/finalized`)).code, 404);
}

async function assertRecovers(server: RealServer): Promise<void> {
  // Compacts the history.
  server.clock.advance(6 * 60_000);
  await eventually(server, async () => (await server.ask('/readyz')).code === 200);
  assert.equal((await server.post(path, configMap('after', 100_000))).code, 201);
  await eventually(server, async () =>
    /^apiserver_storage_out_of_space 0$/m.test((await server.ask('/metrics')).text),
  );
  assert.ok(server.log.some((line) => line.includes('storage has space again')));
}

const finalized = configMap('finalized', 10, { finalizers: ['example.com/wait'] });

describe('a full disk', () => {
  for (const [bytes, megabytes] of [
    [20_000, 32],
    [900_000, 64],
  ] as const) {
    test(`accepts deletions of objects of ${bytes} bytes until there is space again`, async (t) => {
      const disk = await smallDisk(t, megabytes);
      if (disk === undefined) return;
      await withServer({ dataDir: disk }, async (server) => {
        assert.equal((await server.post(path, finalized)).code, 201);
        const names = await fillUp(server, bytes);
        await takeRest(join(disk, 'ballast'));
        assertFull(await server.post(path, configMap('small', 10)));
        await assertReportsFull(server, /the disk of .* is full/);
        await assertFreesSpace(server, names[0]!);
        await deleteAll(server, names);
        assert.equal((await server.ask(path)).text.includes('filler'), false);
        await assertRecovers(server);
      });
      assert.deepEqual((await checkDirectory(join(disk, 'store'))).findings, []);
    });
  }
});

test('events expire on a full disk', async (t) => {
  const disk = await smallDisk(t, 16);
  if (disk === undefined) return;
  await withServer({ dataDir: disk }, async (server) => {
    const events = '/api/v1/namespaces/default/events';
    const event = { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } };
    assert.equal((await server.post(events, event)).code, 201);
    await fill(server, 20_000);
    await takeRest(join(disk, 'ballast'));
    server.clock.advance(3_700_000);
    await eventually(server, async () => (await server.ask(`${events}/e`)).code === 404);
  });
});

test('above --storage-quota-bytes growth is rejected and deletions are accepted', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'orch-quota-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const certDir = join(dataDir, 'pki');
  const quota = 12 * MEGABYTE;
  let names: string[] = [];
  await withServer({ dataDir, certDir, storageQuotaBytes: quota }, async (server) => {
    assert.equal((await server.post(path, finalized)).code, 201);
    names = await fillUp(server, 100_000);
    const metrics = (await server.ask('/metrics')).text;
    const used = Number(/^apiserver_storage_used_bytes (\S+)$/m.exec(metrics)![1]);
    assert.ok(used > 0.9 * quota && used <= quota, String(used));
    assert.match(metrics, new RegExp(`^apiserver_storage_quota_bytes ${String(quota)}$`, 'm'));
    await assertReportsFull(server, /of --storage-quota-bytes/);
    await assertFreesSpace(server, names[0]!);
  });
  // A lower quota than what is stored: nothing is lost, and objects can be deleted.
  await withServer({ dataDir, certDir, storageQuotaBytes: MEGABYTE }, async (server) => {
    const { items } = JSON.parse((await server.ask(path)).text);
    for (const name of names)
      assert.ok(items.some(({ metadata }: { metadata: { name: string } }) => metadata.name === name));
    assertFull(await server.post(path, configMap('small', 10)));
    await deleteAll(server, names);
    await assertRecovers(server);
  });
});
