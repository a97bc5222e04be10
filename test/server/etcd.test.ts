import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { defaultOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { findEtcd, TestEtcd } from '../../src/store/etcd/etcd.fixture.ts';
import { EtcdClient } from '../../src/store/etcd/rpc/etcd-client.ts';
import { silentLogger } from '../../src/telemetry/log.ts';

const found = findEtcd();

interface Read {
  readonly status: number;
  readonly body: {
    readonly metadata: { readonly resourceVersion: string };
    readonly data: Readonly<Record<string, string>>;
    readonly message: string;
  };
}

describe('servers on one etcd', { skip: 'missing' in found && found.missing }, () => {
  let etcd: TestEtcd;
  let root: string;
  let replicas: RunningServer[] = [];
  const path = '/api/v1/namespaces/default/configmaps';

  before(async () => {
    etcd = await TestEtcd.start('program' in found ? found.program : '');
    root = await mkdtemp(join(tmpdir(), 'orch-replicas-'));
    replicas = [await startReplica('a'), await startReplica('b')];
  });
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await etcd.stop();
    await rm(root, { recursive: true });
  });

  function startReplica(name: string): Promise<RunningServer> {
    return runServer(
      {
        ...defaultOptions,
        storage: 'etcd',
        etcdServers: [etcd.url],
        dataDir: join(root, name),
        certDir: join(root, 'pki'),
        httpPort: 0,
        securePort: undefined,
        // Controllers are off: their writes are not the subject of this test.
        controllers: ['-*'],
      },
      { logger: silentLogger },
    );
  }

  async function ask(replica: RunningServer, method: string, where: string, body?: unknown): Promise<Read> {
    const response = await fetch(`${replica.url}${where}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    return { status: response.status, body: (await response.json()) as Read['body'] };
  }

  const configMap = (name: string, value: string, resourceVersion?: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(resourceVersion !== undefined && { resourceVersion }) },
    data: { value },
  });

  /** The types and values of the events of a watch, as they arrive. */
  async function* watched(replica: RunningServer, after: string): AsyncGenerator<string> {
    const response = await fetch(`${replica.url}${path}?watch=1&resourceVersion=${after}`);
    const decoder = new TextDecoder();
    let text = '';
    for await (const piece of response.body!) {
      text += decoder.decode(piece, { stream: true });
      const lines = text.split('\n');
      text = lines.pop()!;
      for (const line of lines) {
        const { type, object } = JSON.parse(line);
        yield `${type} ${object.code ?? object.data.value}`;
      }
    }
  }

  async function untilAsync(condition: () => Promise<boolean>): Promise<void> {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  test('an acknowledged write can be read, updated and deleted at the other server at once', async () => {
    const [a, b] = replicas as [RunningServer, RunningServer];
    for (let i = 0; i < 20; i++) {
      const [here, there] = i % 2 ? [a, b] : [b, a];
      const name = `back-and-forth-${i}`;
      assert.equal((await ask(here, 'POST', path, configMap(name, '1'))).status, 201);
      const read = await ask(there, 'GET', `${path}/${name}`);
      assert.deepEqual([read.status, read.body.data], [200, { value: '1' }]);
      const { resourceVersion } = read.body.metadata;
      const put = await ask(here, 'PUT', `${path}/${name}`, configMap(name, '2', resourceVersion));
      assert.equal(put.status, 200);
      const again = put.body.metadata.resourceVersion;
      assert.equal((await ask(there, 'PUT', `${path}/${name}`, configMap(name, '3', again))).status, 200);
      assert.equal((await ask(here, 'DELETE', `${path}/${name}`)).status, 200);
      assert.equal((await ask(there, 'GET', `${path}/${name}`)).status, 404);
    }
  });

  test('a namespace created at one accepts objects at the other at once', async () => {
    const [a, b] = replicas as [RunningServer, RunningServer];
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } };
    assert.equal((await ask(a, 'POST', '/api/v1/namespaces', namespace)).status, 201);
    const created = await ask(b, 'POST', '/api/v1/namespaces/fresh/configmaps', configMap('x', '1'));
    assert.equal(created.status, 201);
  });

  test('of concurrent writes to one revision at both, one succeeds', async () => {
    const [a, b] = replicas as [RunningServer, RunningServer];
    const { body } = await ask(a, 'POST', path, configMap('contended', '0'));
    const { resourceVersion } = body.metadata;
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        ask(i % 2 ? a : b, 'PUT', `${path}/contended`, configMap('contended', `by ${i}`, resourceVersion)),
      ),
    );
    assert.deepEqual(results.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)]);
  });

  test('a watch at one sends the writes of the other, in order', async () => {
    const [a, b] = replicas as [RunningServer, RunningServer];
    const list = await ask(a, 'GET', path);
    const events = watched(b, list.body.metadata.resourceVersion);
    await ask(a, 'POST', path, configMap('seen', '0'));
    for (let i = 1; i <= 5; i++) {
      const { body } = await ask(a, 'GET', `${path}/seen`);
      await ask(
        i % 2 ? a : b,
        'PUT',
        `${path}/seen`,
        configMap('seen', `${i}`, body.metadata.resourceVersion),
      );
    }
    await ask(a, 'DELETE', `${path}/seen`);
    const heard: string[] = [];
    for await (const event of events) {
      heard.push(event);
      if (heard.length === 7) break;
    }
    assert.deepEqual(heard, ['ADDED 0', ...[1, 2, 3, 4, 5].map((i) => `MODIFIED ${i}`), 'DELETED 5']);
  });

  test('objects are stored in etcd under the keys of kube-apiserver, in JSON', async () => {
    const [a] = replicas as [RunningServer];
    await ask(a, 'POST', path, configMap('readable', 'yes'));
    const client = new EtcdClient({ servers: [etcd.url] });
    const { kvs } = await client.range({ key: '/registry/configmaps/default/readable' });
    client.close();
    const [line] = kvs[0]!.value.toString().split('\n');
    assert.deepEqual(JSON.parse(line!).data, { value: 'yes' });
  });

  test('without etcd only reads at a resourceVersion succeed, with it everything continues', async () => {
    const [a, b] = replicas as [RunningServer, RunningServer];
    await ask(a, 'POST', path, configMap('lasting', '1'));
    const { body } = await ask(b, 'GET', path);
    const events = watched(b, body.metadata.resourceVersion);
    await etcd.kill();
    const old = await ask(a, 'GET', `${path}/lasting?resourceVersion=0`);
    assert.deepEqual([old.status, old.body.data], [200, { value: '1' }]);
    const failures = await Promise.all([
      ask(a, 'GET', `${path}/lasting`),
      ask(b, 'GET', path),
      ask(a, 'POST', path, configMap('lost', '1')),
    ]);
    for (const failure of failures) {
      assert.equal(failure.status, 503);
      assert.match(failure.body.message, /etcd.*ECONNREFUSED/);
    }
    const ready = await fetch(`${a.url}/readyz?verbose`);
    assert.equal(ready.status, 500);
    assert.match(await ready.text(), /\[-\]etcd failed/);
    await etcd.launch();
    await untilAsync(async () => (await ask(a, 'GET', `${path}/lasting`)).status === 200);
    assert.equal((await ask(a, 'POST', path, configMap('after', '1'))).status, 201);
    assert.equal((await ask(b, 'GET', `${path}/after`)).status, 200);
    assert.equal((await fetch(`${a.url}/readyz`)).status, 200);
    assert.equal((await events.next()).value, 'ADDED 1');
    await events.return(undefined);
  });

  test('while etcd is paused, reads of the latest state fail in time, and then continue', async () => {
    const [a, b] = replicas as [RunningServer, RunningServer];
    etcd.pause();
    const [read, written, old] = await Promise.all([
      ask(a, 'GET', `${path}/lasting`),
      ask(b, 'POST', path, configMap('halted', '1')),
      ask(a, 'GET', `${path}/lasting?resourceVersion=0`),
    ]);
    assert.deepEqual([read.status, written.status, old.status], [503, 503, 200]);
    assert.match(written.body.message, /no answer within .* whether a write was done is not known/);
    etcd.resume();
    await untilAsync(async () => (await ask(b, 'GET', `${path}/lasting`)).status === 200);
    assert.equal((await ask(b, 'POST', path, configMap('moving', '1'))).status, 201);
    assert.equal((await ask(a, 'GET', `${path}/moving`)).status, 200);
  });

  test('a server that was stopped resumes from its replica, and so do earlier watches', async () => {
    const [a, b] = replicas as [RunningServer, RunningServer];
    const { body } = await ask(b, 'GET', path);
    await b.stop();
    await ask(a, 'POST', path, configMap('meanwhile', '1'));
    await ask(a, 'DELETE', `${path}/meanwhile`);
    const again = await startReplica('b');
    replicas = [a, again];
    const events = watched(again, body.metadata.resourceVersion);
    assert.deepEqual([(await events.next()).value, (await events.next()).value], ['ADDED 1', 'DELETED 1']);
    await events.return(undefined);
  });

  test('a server that was stopped for longer than the history of etcd resyncs, and earlier watches get 410', async () => {
    const [a, b] = replicas as [RunningServer, RunningServer];
    const { body } = await ask(b, 'GET', path);
    await b.stop();
    await ask(a, 'POST', path, configMap('unseen', '1'));
    const { body: deleted } = await ask(a, 'POST', path, configMap('forgotten', '1'));
    await ask(a, 'DELETE', `${path}/forgotten`);
    const client = new EtcdClient({ servers: [etcd.url] });
    await client.compact(Number(deleted.metadata.resourceVersion));
    client.close();
    const again = await startReplica('b');
    replicas = [a, again];
    assert.equal((await watched(again, body.metadata.resourceVersion).next()).value, 'ERROR 410');
    assert.equal((await ask(again, 'GET', `${path}/unseen`)).status, 200);
    assert.equal((await ask(again, 'GET', `${path}/forgotten`)).status, 404);
  });
});
