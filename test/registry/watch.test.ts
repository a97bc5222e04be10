import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarize, testServer } from '../support/client.ts';

const api = testServer({ featureGates: { WatchList: true } });

test('a watch without a resourceVersion begins with synthetic ADDED events', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'a' } });
  const watch = await api.watch(`${path}?watch=1`);
  assert.equal((await watch.next())?.type, 'ADDED');
  await api.post(path, { metadata: { name: 'b' } });
  assert.equal((await watch.next())?.object.metadata.name, 'b');
  watch.close();
});

test('a watch from a resourceVersion sends every later event, in order', async () => {
  const path = await api.namespace();
  const { body: list } = await api.get(path);
  await api.post(path, { metadata: { name: 'a' } });
  await api.put(`${path}/a`, { metadata: { name: 'a' }, data: { k: 'v' } });
  const { body: before } = await api.get(`${path}/a`);
  await api.delete(`${path}/a`);
  const watch = await api.watch(`${path}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
  const events = [await watch.next(), await watch.next(), await watch.next()];
  watch.close();
  assert.deepEqual(summarize(events.map((event) => event!)), ['ADDED a', 'MODIFIED a', 'DELETED a']);
  const revisions = events.map((event) => Number(event!.object.metadata.resourceVersion));
  assert.ok(revisions[0]! < revisions[1]! && revisions[1]! < revisions[2]!);
  assert.ok(revisions[2]! > Number(before.metadata.resourceVersion));
});

test('an object that leaves the selection is DELETED in its last selected state, one that enters is ADDED', async () => {
  const path = await api.namespace();
  const { body: list } = await api.get(path);
  const watch = await api.watch(
    `${path}?watch=1&labelSelector=in%3Dyes&resourceVersion=${list.metadata.resourceVersion}`,
  );
  await api.post(path, { metadata: { name: 'a' } });
  await api.put(`${path}/a`, { metadata: { name: 'a', labels: { in: 'yes' } }, data: { k: '1' } });
  const { body: out } = await api.put(`${path}/a`, { metadata: { name: 'a' }, data: { k: '2' } });
  const entered = await watch.next();
  const left = await watch.next();
  watch.close();
  assert.equal(entered?.type, 'ADDED');
  assert.equal(left?.type, 'DELETED');
  assert.deepEqual(left?.object.data, { k: '1' });
  assert.equal(left?.object.metadata.resourceVersion, out.metadata.resourceVersion);
});

test('a watch of one object sends only its events', async () => {
  const path = await api.namespace();
  const watch = await api.watch(`${path}?watch=1&fieldSelector=metadata.name%3Db&resourceVersion=0`);
  await api.post(path, { metadata: { name: 'a' } });
  await api.post(path, { metadata: { name: 'b' } });
  assert.equal((await watch.next())?.object.metadata.name, 'b');
  watch.close();
});

test('sendInitialEvents ends the initial events with a bookmark', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'a' } });
  const watch = await api.watch(
    `${path}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
  );
  assert.equal((await watch.next())?.type, 'ADDED');
  const bookmark = await watch.next();
  assert.equal(bookmark?.type, 'BOOKMARK');
  assert.equal(bookmark?.object.metadata.annotations['orch.io/initial-events-end'], 'true');
  watch.close();
});

test('bookmarks are sent about once a minute with allowWatchBookmarks', async () => {
  const path = await api.namespace();
  const { body: list } = await api.get(path);
  const watch = await api.watch(
    `${path}?watch=1&allowWatchBookmarks=true&resourceVersion=${list.metadata.resourceVersion}`,
  );
  const next = watch.next();
  api.server.clock.advance(61_000);
  const bookmark = await next;
  assert.equal(bookmark?.type, 'BOOKMARK');
  assert.ok(Number(bookmark?.object.metadata.resourceVersion) >= Number(list.metadata.resourceVersion));
  watch.close();
});

test('a watch ends by itself after timeoutSeconds', async () => {
  const path = await api.namespace();
  const watch = await api.watch(`${path}?watch=1&timeoutSeconds=5`);
  const events = watch.rest();
  api.server.clock.advance(6_000);
  assert.deepEqual(await events, []);
});

test('a watch from a compacted revision is one ERROR event with 410 Expired', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'a' } });
  api.server.clock.advance(6 * 60_000);
  await api.post(path, { metadata: { name: 'b' } });
  api.server.clock.advance(6 * 60_000);
  const watch = await api.watch(`${path}?watch=1&resourceVersion=1`);
  const events = await watch.rest();
  assert.equal(events.length, 1);
  assert.equal(events[0]?.type, 'ERROR');
  assert.equal(events[0]?.object.code, 410);
  assert.equal(events[0]?.object.reason, 'Expired');
});

test('the deprecated watch/ path watches too', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'a' } });
  const watch = await api.watch(`${path.replace('/api/v1/', '/api/v1/watch/')}/a`);
  assert.equal((await watch.next())?.object.metadata.name, 'a');
  watch.close();
});

test('a hundred watchers all get every event once', async () => {
  const path = await api.namespace();
  const watches = await Promise.all(Array.from({ length: 100 }, () => api.watch(`${path}?watch=1`)));
  for (let i = 0; i < 10; i++) await api.post(path, { metadata: { name: `o${i}` } });
  for (const watch of watches) {
    for (let i = 0; i < 10; i++) assert.equal((await watch.next())?.object.metadata.name, `o${i}`);
    watch.close();
  }
});
