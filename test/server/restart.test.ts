import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { LmdbStore } from '../../src/store/lmdb/lmdb-store.ts';
import { summarize, type WatchEvent, type WatchReader } from '../support/client.ts';
import { ServerProcess } from '../support/server-process.ts';

async function startServer(t: TestContext): Promise<ServerProcess> {
  const server = await ServerProcess.prepare(t);
  await server.start();
  return server;
}

async function restart(server: ServerProcess): Promise<void> {
  assert.equal((await server.end('SIGTERM')).code, 0);
  await server.start();
}

const revisionOf = ({ object }: WatchEvent) => object.metadata.resourceVersion;

async function take(watch: WatchReader, count: number): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  while (events.length < count) events.push((await watch.next())!);
  return events;
}

const named = (name: string, data = {}) => ({ metadata: { name }, data });

test('a watch resumes across restarts without a relist and misses nothing', async (t) => {
  const server = await startServer(t);
  const path = await server.namespace();
  const { body: list } = await server.get(path);
  let seen = list.metadata.resourceVersion;

  let watch = await server.watch(`${path}?watch=1&resourceVersion=${seen}`);
  await server.post(path, named('a'));
  await server.post(path, named('b'));
  const first = await take(watch, 2);
  seen = revisionOf(first[1]!);
  await server.put(`${path}/a`, named('a', { k: '1' }));
  await server.delete(`${path}/b`);
  await restart(server);
  // Events in flight may have arrived; the stream ended as after a watch timeout.
  await watch.rest();

  watch = await server.watch(`${path}?watch=1&resourceVersion=${seen}`);
  await server.post(path, named('c'));
  const second = await take(watch, 3);
  assert.deepEqual(summarize(second), ['MODIFIED a', 'DELETED b', 'ADDED c']);
  assert.deepEqual(second[0]!.object.data, { k: '1' });
  await restart(server);
  await restart(server);

  // A watch from the last revision sends no event again; one from the first sends all, unchanged.
  watch = await server.watch(`${path}?watch=1&resourceVersion=${revisionOf(second[2]!)}`);
  const all = await server.watch(`${path}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
  const { body: last } = await server.post(path, named('d'));
  const [next] = await take(watch, 1);
  assert.deepEqual(next, { type: 'ADDED', object: last });
  assert.deepEqual(await take(all, 6), [...first, ...second, next]);
  watch.close();
  all.close();
});

test('a paginated list continues after a restart at its revision', async (t) => {
  const server = await startServer(t);
  const path = await server.namespace();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await server.post(path, named(name, { was: 'here' }));
  const { body: whole } = await server.get(path);
  const { body: start } = await server.get(`${path}?limit=2`);
  await server.delete(`${path}/c`);
  await server.put(`${path}/d`, named('d', { is: 'new' }));
  await server.post(path, named('f'));
  await restart(server);

  const { body: rest } = await server.get(`${path}?limit=5&continue=${start.metadata.continue}`);
  assert.deepEqual([...start.items, ...rest.items], whole.items);
  assert.equal(rest.metadata.resourceVersion, whole.metadata.resourceVersion);
  assert.equal(rest.metadata.continue, undefined);
  const exact = `resourceVersion=${whole.metadata.resourceVersion}&resourceVersionMatch=Exact`;
  assert.deepEqual((await server.get(`${path}?${exact}`)).body.items, whole.items);
  const { body: now } = await server.get(path);
  assert.deepEqual(
    now.items.map(({ metadata }) => metadata.name),
    ['a', 'b', 'd', 'e', 'f'],
  );
});

test('a compacted revision is 410 after a restart too', async (t) => {
  const server = await startServer(t);
  const path = await server.namespace();
  for (const name of ['a', 'b', 'c']) await server.post(path, named(name));
  const { body: start } = await server.get(`${path}?limit=1`);
  const { resourceVersion } = start.metadata;
  const { body: later } = await server.put(`${path}/b`, named('b', { is: 'new' }));
  assert.equal((await server.end('SIGTERM')).code, 0);
  // The server itself compacts history after five minutes.
  const store = LmdbStore.open({ dir: server.storeDir, clock: systemClock, dialect: 'orch' });
  await store.compact(Number(later.metadata.resourceVersion));
  await store.close();
  await server.start();

  const watch = await server.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`);
  const events = await watch.rest();
  assert.deepEqual(
    events.map(({ type, object }) => [type, object.code, object.reason]),
    [['ERROR', 410, 'Expired']],
  );
  const exact = await server.get(`${path}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
  assert.deepEqual([exact.code, exact.body.reason], [410, 'Expired']);

  const expired = await server.get(`${path}?limit=5&continue=${start.metadata.continue}`);
  assert.deepEqual([expired.code, expired.body.reason], [410, 'Expired']);
  const { body: rest } = await server.get(`${path}?limit=5&continue=${expired.body.metadata.continue}`);
  assert.deepEqual(
    rest.items.map(({ metadata, data }) => [metadata.name, data]),
    [
      ['b', { is: 'new' }],
      ['c', undefined],
    ],
  );

  // The latest revision is still known: a client that has it can continue from there.
  const current = await server.watch(`${path}?watch=1&resourceVersion=${later.metadata.resourceVersion}`);
  await server.post(path, named('d'));
  assert.deepEqual(summarize(await take(current, 1)), ['ADDED d']);
  current.close();
});
