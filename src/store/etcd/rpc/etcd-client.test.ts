// Tests of the etcd client on a real etcd.
import assert from 'node:assert/strict';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { findEtcd, TestEtcd } from '../etcd.fixture.ts';
import { CallError } from './connection.ts';
import { EtcdClient } from './etcd-client.ts';
import { Deframer, frame } from './frames.ts';
import { readWatch, type WatchResponse, writeWatchCreate } from './messages.ts';

const found = findEtcd();

test('Deframer reassembles messages, however they are split', () => {
  const messages = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(7_000, 'x'), Buffer.from('four')];
  const bytes = Buffer.concat(messages.map(frame));
  for (const size of [1, 2, 3, 7, 4_096, bytes.length]) {
    const deframer = new Deframer();
    const got: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) got.push(...deframer.take(bytes.subarray(at, at + size)));
    assert.deepEqual(got, messages);
  }
});

test('a malformed gRPC message of a status is reported as it is', async () => {
  const sessions: ServerHttp2Session[] = [];
  const server = createServer().on('session', (session) => sessions.push(session));
  server.on('stream', (stream) => {
    const status = { 'grpc-status': '2', 'grpc-message': '%zz is no escape' };
    stream.respond({ ':status': 200, ...status }, { endStream: true });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new EtcdClient({ servers: [`http://127.0.0.1:${port}`] });
  try {
    await assert.rejects(client.status(), (error) => {
      assert.ok(error instanceof CallError);
      assert.deepEqual([error.code, error.message], [2, '%zz is no escape']);
      return true;
    });
  } finally {
    client.close();
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('EtcdClient', { skip: 'missing' in found && found.missing }, () => {
  let etcd: TestEtcd;
  let client: EtcdClient;
  before(async () => {
    etcd = await TestEtcd.start('program' in found ? found.program : '');
    client = new EtcdClient({ servers: [etcd.url], timeoutMs: 60_000 });
  });
  after(async () => {
    client.close();
    await etcd.stop();
  });

  test('a transaction writes if its precondition holds, and else returns the current value', async () => {
    const key = '/transactions/ä';
    const created = await client.txn({ key, expect: { modRevision: 0 }, value: Buffer.from('1') });
    assert.equal(created.succeeded, true);
    const refused = await client.txn({ key, expect: { modRevision: 0 }, value: Buffer.from('2') });
    assert.deepEqual([refused.succeeded, refused.current?.value.toString()], [false, '1']);
    assert.deepEqual([refused.current?.key, refused.current?.modRevision], [key, created.header.revision]);
    const { revision } = created.header;
    const deleted = await client.txn({ key, expect: { modRevision: revision }, value: null });
    assert.deepEqual([deleted.succeeded, deleted.header.revision], [true, revision + 1]);
    const marker = { key: '/beside', value: Buffer.from('b') };
    const early = await client.txn({ key, expect: { modRevision: 0 }, value: Buffer.from('3'), marker });
    assert.deepEqual([early.succeeded, early.marker], [false, undefined]);
    await client.txn({ key: marker.key, expect: undefined, value: marker.value });
    const both = await client.txn({ key, expect: { modRevision: 0 }, value: Buffer.from('3'), marker });
    const neither = await client.txn({ key, expect: { modRevision: 0 }, value: Buffer.from('4'), marker });
    assert.deepEqual(
      [both.succeeded, neither.succeeded, neither.current?.value.toString()],
      [true, false, '3'],
    );
    assert.equal(neither.marker?.modRevision, both.header.revision);
    const other = { key: marker.key, value: Buffer.from('c') };
    const expect = { value: Buffer.from('3') };
    assert.equal((await client.txn({ key, expect, value: null, marker: other })).succeeded, false);
    const deleteRange = { key: '/besid', end: '/besidf' };
    assert.equal((await client.txn({ key, expect, value: Buffer.from('5'), deleteRange })).succeeded, true);
    assert.deepEqual((await client.range({ key: marker.key })).kvs, []);
    await client.txn({ key, expect: 'exists', value: null });
    const gone = await client.txn({ key, expect: 'exists', value: null });
    assert.deepEqual([gone.succeeded, gone.current], [false, undefined]);
  });

  test('a request that is too large is rejected at once, later ones are not', async () => {
    const expect = { version: 1_000_000 };
    // etcd rejects the first after reading it, the second before.
    for (const [megabytes, message] of [
      [16.2, /request is too large/],
      [40, /larger than max/],
    ] as const) {
      const value = Buffer.alloc(megabytes * 1024 * 1024);
      await assert.rejects(client.txn({ key: '/large', expect, value }), message);
      assert.equal((await client.txn({ key: '/large', expect, value: Buffer.alloc(1) })).succeeded, false);
    }
  });

  test('a range is read in pages at a given revision', async () => {
    for (let i = 0; i < 5; i++)
      await client.txn({ key: `/pages/${i}`, expect: undefined, value: Buffer.from(`${i}`) });
    const whole = { key: '/pages/', end: '/pages0' };
    const first = await client.range({ ...whole, limit: 3 });
    assert.deepEqual(
      [first.kvs.map(({ key }) => key), first.more],
      [['/pages/0', '/pages/1', '/pages/2'], true],
    );
    await client.txn({ key: '/pages/4', expect: undefined, value: null });
    const { revision } = first.header;
    const rest = await client.range({ ...whole, key: '/pages/2\0', revision });
    assert.deepEqual([rest.kvs.map(({ value }) => value.toString()), rest.more], [['3', '4'], false]);
  });

  test('a watch delivers changes', async () => {
    const heard: WatchResponse[] = [];
    const deframer = new Deframer();
    const head = await client.range({ key: 'nothing' });
    const { stream } = await client.watch({
      onData: (piece) => heard.push(...deframer.take(piece).map(readWatch)),
      onEnd: () => {},
    });
    stream.send(writeWatchCreate({ key: '/watched/', end: '/watched0', from: head.header.revision + 1 }));
    await client.txn({ key: '/watched/a', expect: undefined, value: Buffer.from('1') });
    await client.txn({ key: '/watched/a', expect: undefined, value: null });
    while (heard.flatMap(({ events }) => events).length < 2) await new Promise(setImmediate);
    assert.deepEqual(
      heard
        .flatMap(({ events }) => events)
        .map(({ isDeletion, kv }) => [isDeletion, kv.key, kv.value.toString()]),
      [
        [false, '/watched/a', '1'],
        [true, '/watched/a', ''],
      ],
    );
    stream.end();
  });

  test('a compacted revision is reported as such', async () => {
    const { header } = await client.txn({ key: '/c', expect: undefined, value: Buffer.from('1') });
    await client.txn({ key: '/c', expect: undefined, value: Buffer.from('2') });
    await client.compact(header.revision + 1);
    await assert.rejects(client.range({ key: '/c', revision: header.revision }), /compacted/);
    assert.match((await client.status()).version, /^3\./);
  });

  test('calls fail in time with a reason while etcd is down, and succeed afterwards', async () => {
    await etcd.kill();
    const hasty = new EtcdClient({ servers: [etcd.url], timeoutMs: 1_000 });
    await assert.rejects(hasty.range({ key: 'a' }), (error) => {
      assert.ok(error instanceof CallError);
      assert.match(error.message, /ECONNREFUSED/);
      return true;
    });
    hasty.close();
    const asked = client.range({ key: 'a' });
    await etcd.launch();
    await asked;
  });

  test('a member that does not answer is abandoned for another', async () => {
    const two = new EtcdClient({ servers: ['http://127.0.0.1:1', etcd.url], timeoutMs: 60_000 });
    for (let i = 0; i < 5; i++) await two.range({ key: 'a' });
    two.close();
  });
});
