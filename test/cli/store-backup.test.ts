import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { writeBackup } from '../../src/store/backup/write-backup.ts';
import { findEtcd, TestEtcd } from '../../src/store/etcd/etcd.fixture.ts';
import { EtcdClient } from '../../src/store/etcd/rpc/etcd-client.ts';
import { spliceRevision } from '../../src/store/stored-object.ts';
import { draftOf } from '../../src/store/suite/objects.ts';
import type { Body } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { Program } from '../support/program.ts';
import { ServerProcess } from '../support/server-process.ts';

const found = findEtcd();

describe('orch store backup and restore', { skip: 'missing' in found && found.missing }, () => {
  let etcd: TestEtcd;
  let root: string;
  let next = 0;
  before(async () => {
    etcd = await TestEtcd.start('program' in found ? found.program : '');
    root = await mkdtemp(join(tmpdir(), 'orch-store-'));
  });
  after(async () => {
    await etcd.stop();
    await rm(root, { recursive: true });
  });

  const newPath = () => join(root, `${next++}`);
  const orch = (...args: string[]) => new Program(process.execPath, ['src/main.ts', ...args]);
  const inEtcd = (prefix: string) => ['--etcd-servers', etcd.url, '--etcd-prefix', prefix];

  async function store(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await orch('store', ...args).ended();
    assert.equal(code, 0, stderr);
    return stdout;
  }

  /** Runs in this process, which is faster than starting one. */
  async function refusal(...args: string[]): Promise<string> {
    const [responses, complaints]: [string[], string[]] = [[], []];
    const out = (line: string) => void responses.push(line);
    const err = (line: string) => void complaints.push(line);
    assert.equal(await main(['store', ...args], { out, err, inColor: false }), 1);
    assert.deepEqual(responses, []);
    // On a slow machine it prints progress before that.
    return complaints.at(-1)!;
  }

  /** The content of a backup: the revision, and by key the objects with their metadata. */
  async function contentOf(file: string) {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const { revision } = JSON.parse(lines[0]!) as { revision: number };
    const objects = new Map<string, { beside: Record<string, unknown>; object: Body }>();
    for (let i = 1; i + 1 < lines.length; i += 2) {
      const beside = JSON.parse(lines[i]!) as { key: string };
      objects.set(beside.key, { beside, object: JSON.parse(lines[i + 1]!) as Body });
    }
    return { revision, objects };
  }

  /** The same without values that depend on revisions. */
  async function unversioned(file: string) {
    const { objects } = await contentOf(file);
    for (const { beside, object } of objects.values()) {
      object.metadata.resourceVersion = '';
      for (const name of ['revision', 'bytes']) delete beside[name];
    }
    return objects;
  }

  /** Clients that write ConfigMaps until they are stopped. */
  function writing(server: ServerProcess, path: string): () => Promise<void> {
    let isOver = false;
    const writer = async (number: number) => {
      for (let i = 0; !isOver; i++) {
        const name = `${number}-${i % 20}`;
        const object = { metadata: { name }, data: { i: String(i) } };
        if (i < 20) await server.post(path, object);
        else if (i % 7 === 0) {
          await server.delete(`${path}/${name}`);
          await server.post(path, object);
        } else await server.put(`${path}/${name}`, object);
      }
    };
    const writers = [1, 2, 3, 4].map(writer);
    return async () => {
      isOver = true;
      await Promise.all(writers);
    };
  }

  /** A watch from an earlier revision gets 410, and a read at a future one an error. */
  async function assertCut(server: ServerProcess, path: string, old: readonly string[]): Promise<void> {
    for (const resourceVersion of old) {
      const watch = await server.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`);
      const { type, object } = (await watch.next())!;
      assert.deepEqual([type, object.code, object.reason], ['ERROR', 410, 'Expired'], resourceVersion);
      watch.close();
      const exact = await server.get(`${path}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
      assert.equal(exact.code, 410);
    }
    const newest = (await server.get(path)).body.metadata.resourceVersion;
    assert.ok(old.every((each) => Number(each) + 1e8 < Number(newest)));
    const early = await server.get(`${path}?resourceVersion=${Number(newest) + 1_000_000}`);
    assert.equal(early.code, 504);
    assert.match(early.body.message, /Too large resource version/);
  }

  /** Revisions continue: conditional writes, watches from a revision, and Service allocations. */
  async function assertGoesOn(server: ServerProcess, path: string): Promise<void> {
    const { body } = await server.get(path);
    const watch = await server.watch(`${path}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
    const [object] = body.items;
    const changed = { ...object, data: { is: 'changed' } };
    const { name } = object!.metadata;
    assert.equal((await server.put(`${path}/${name}`, changed)).code, 200);
    assert.equal((await server.put(`${path}/${name}`, changed)).code, 409);
    const event = await watch.next();
    assert.deepEqual([event?.type, event?.object.data], ['MODIFIED', { is: 'changed' }]);
    watch.close();
    const service = { metadata: { name: `s-${next++}` }, spec: { type: 'NodePort', ports: [{ port: 80 }] } };
    assert.equal((await server.post(path.replace('configmaps', 'services'), service)).code, 201);
  }

  test('a backup under load is a snapshot at one revision, and restores from LMDB to etcd and back', async (t) => {
    const server = await ServerProcess.prepare(t);
    await server.start();
    const path = await server.namespace();
    const event = await server.post(path.replace('configmaps', 'events'), {
      metadata: { name: 'kept' },
      involvedObject: { namespace: path.split('/')[4] },
    });
    assert.equal(event.code, 201);
    const stop = writing(server, path);
    while (((await server.get(path)).body.items.length ?? 0) < 60) await new Promise(setImmediate);
    const first = newPath();
    assert.match(await store('backup', server.dataDir, first), /objects of dialect orch at revision \d+/);
    await stop();

    const { revision, objects } = await contentOf(first);
    const exact = await server.get(`${path}?resourceVersion=${revision}&resourceVersionMatch=Exact`);
    const prefix = `configmaps/${path.split('/')[4]}/`;
    assert.deepEqual(
      exact.body.items.map(({ metadata, data }) => [metadata.name, metadata.resourceVersion, data]),
      [...objects]
        .filter(([key]) => key.startsWith(prefix))
        .map(([, { object }]) => [object.metadata.name, object.metadata.resourceVersion, object.data]),
    );
    const last = (await server.get(path)).body.metadata.resourceVersion;
    await server.end('SIGTERM');

    const [second, third, directory] = [newPath(), newPath(), newPath()];
    await store('restore', first, ...inEtcd('/there'));
    await store('backup', second, ...inEtcd('/there'));
    await store('restore', second, directory);
    await store('backup', directory, third);
    assert.deepEqual(await unversioned(second), await unversioned(first));
    assert.deepEqual((await contentOf(third)).objects, (await contentOf(second)).objects);
    assert.match(await store('check', directory), /no errors/);
    assert.match(await store('check', third), /no errors/);

    await server.start('--storage', 'etcd', ...inEtcd('/there'));
    await assertCut(server, path, [String(revision), last]);
    assert.equal((await server.get(path)).body.items.length, exact.body.items.length);
    await assertGoesOn(server, path);
    const moved = (await server.get(path)).body.metadata.resourceVersion;
    await server.end('SIGTERM');
    server.dataDir = directory;
    await server.start();
    await assertCut(server, path, [String(revision), last, moved]);
    assert.equal((await server.get(path)).body.items.length, exact.body.items.length);
    await assertGoesOn(server, path);
  });

  test('servers on a restored etcd close their watches and serve the restored state', async (t) => {
    const server = await ServerProcess.prepare(t);
    await server.start('--storage', 'etcd', ...inEtcd('/busy'));
    const path = await server.namespace();
    await server.post(path, { metadata: { name: 'kept' } });
    const file = newPath();
    await store('backup', file, ...inEtcd('/busy'));
    const lost = await server.post(path, { metadata: { name: 'lost' } });
    const { resourceVersion } = lost.body.metadata;
    const watch = await server.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`);
    // A server may write concurrently: then nothing has been changed.
    for (;;) {
      const { code, stderr } = await orch('store', 'restore', file, '--force', ...inEtcd('/busy')).ended();
      if (code === 0) break;
      assert.match(stderr, /stop them, and run it again/);
    }
    assert.deepEqual(await watch.rest(), []);
    while ((await server.get(path)).code !== 200) await new Promise(setImmediate);
    const { body } = await server.get(path);
    assert.deepEqual(
      body.items.map(({ metadata }) => metadata.name),
      ['kept'],
    );
    await assertCut(server, path, [resourceVersion]);
  });

  /** A backup with so many objects that restoring it takes a while. */
  async function largeBackup(count: number): Promise<string> {
    const file = newPath();
    function* objects() {
      for (let i = 1; i <= count; i++) {
        const key = `things/${String(i).padStart(6, '0')}`;
        yield { prefix: 'things', object: spliceRevision(draftOf({ data: 'x'.repeat(200) }), key, i) };
      }
    }
    await writeBackup(file, { dialect: 'orch', revision: count, objects }, () => {});
    return file;
  }

  /** Kills the command as soon as the condition holds. */
  async function killed(isBegun: () => Promise<boolean>, ...args: string[]): Promise<void> {
    const program = orch('store', ...args);
    while (!(await isBegun())) {
      assert.equal(program.child.exitCode, null, 'it was over too soon');
      await new Promise(setImmediate);
    }
    assert.equal((await program.stop('SIGKILL')).signal, 'SIGKILL');
  }

  test('a killed restore leaves the directory unchanged, or marked as incomplete', async (t) => {
    const file = await largeBackup(12_000);
    const fresh = newPath();
    const isWriting = (dir: string) => async () => existsSync(join(dir, 'store', 'restoring', 'data.mdb'));
    await killed(isWriting(fresh), 'restore', file, fresh);
    const { code, stderr } = await serveFailing(t, '--data-dir', fresh);
    assert.equal(code, 1);
    assert.match(stderr, /earlier restore to .* did not finish; run it again/);
    await store('restore', file, fresh);
    assert.match(await store('check', fresh), /^12000 objects.*no errors/);

    await killed(isWriting(fresh), 'restore', file, fresh, '--force');
    assert.match(await store('check', fresh), /^12000 objects.*no errors/);
    assert.match(await refusal('restore', file, fresh), /already contains data.*--force/);
  });

  test('a killed restore leaves an etcd on which no server starts', async (t) => {
    const file = await largeBackup(4_000);
    const client = new EtcdClient({ servers: [etcd.url] });
    t.after(() => client.close());
    const isBegun = async () => (await client.range({ key: '/half/things/000100' })).kvs.length > 0;
    await killed(isBegun, 'restore', file, ...inEtcd('/half'));
    const { code, stderr } = await serveFailing(
      t,
      '--data-dir',
      newPath(),
      '--storage',
      'etcd',
      ...inEtcd('/half'),
    );
    assert.equal(code, 1);
    assert.match(
      stderr,
      /a backup is being restored to \/half; if the restore was interrupted, run it again with --force/,
    );
    assert.match(await refusal('restore', file, ...inEtcd('/half')), /add --force to start over/);
    await store('restore', file, '--force', ...inEtcd('/half'));
    assert.match(await store('backup', newPath(), ...inEtcd('/half')), /4000 objects/);
  });

  /** Asserts that a server does not start. */
  async function serveFailing(t: TestContext, ...flags: string[]) {
    const program = orch('serve', '--secure-port', String(await freePort()), ...flags);
    t.after(() => program.stop('SIGKILL'));
    return program.ended();
  }

  test('an impossible backup or restore is one line of error with a hint', async () => {
    const [file, dir] = [newPath(), newPath()];
    assert.match(await refusal('backup'), /a source is required/);
    assert.match(await refusal('restore', file), /a backup and a target are required/);
    assert.match(await refusal('restore', file, dir), /no such file or directory/);
    assert.match(await refusal('backup', dir), /is not a data directory/);
    assert.match(await refusal('backup', file, ...inEtcd('/nobody')), /no server has used \/nobody/);
    assert.match(await refusal('backup', '--etcd-servers', 'http://127.0.0.1:1'), /etcd: .*ECONNREFUSED/);
    assert.match(await refusal('bakcup', dir), /did you mean backup\?/);
    assert.match(await refusal('restore', file, dir, 'more'), /unexpected argument "more"/);
  });
});
