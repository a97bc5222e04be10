import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';

const api = testServer();

const names = (list: Body) => list.items.map((item) => item.metadata.name);

async function filled(count: number): Promise<string> {
  const path = await api.namespace();
  for (let i = 0; i < count; i++) {
    const metadata = { name: `o${String(i).padStart(2, '0')}`, labels: { parity: i % 2 ? 'odd' : 'even' } };
    await api.post(path, { metadata });
  }
  return path;
}

test('a list has a resourceVersion, and its items have neither kind nor apiVersion', async () => {
  const path = await filled(2);
  const { body } = await api.get(path);
  assert.equal(body.kind, 'ConfigMapList');
  assert.match(body.metadata.resourceVersion, /^[0-9]+$/);
  assert.deepEqual(names(body), ['o00', 'o01']);
  assert.equal(body.items[0]?.kind, undefined);
  assert.equal(body.items[0]?.apiVersion, undefined);
});

test('a list of all namespaces has the objects of each', async () => {
  const one = await filled(1);
  const other = await filled(1);
  const { body } = await api.get('/api/v1/configmaps');
  const namespaces = new Set(body.items.map((item) => item.metadata.namespace));
  for (const path of [one, other]) assert.ok(namespaces.has(path.split('/')[4]!));
});

test('label and field selectors filter a list', async () => {
  const path = await filled(4);
  assert.deepEqual(names((await api.get(`${path}?labelSelector=parity%3Dodd`)).body), ['o01', 'o03']);
  assert.deepEqual(names((await api.get(`${path}?fieldSelector=metadata.name%3Do02`)).body), ['o02']);
  assert.deepEqual(names((await api.get(`${path}?fieldSelector=metadata.name!%3Do02`)).body), [
    'o00',
    'o01',
    'o03',
  ]);
  assert.equal((await api.get(`${path}?labelSelector=a%20b`)).code, 400);
  assert.equal((await api.get(`${path}?fieldSelector=spec.x%3D1`)).code, 400);
});

test('pages are of one revision, have remainingItemCount, and together are the whole list', async () => {
  const path = await filled(5);
  const { body: first } = await api.get(`${path}?limit=2`);
  assert.equal(first.metadata.remainingItemCount, 3);
  await api.delete(`${path}/o03`);
  await api.post(path, { metadata: { name: 'o02b' } });
  const { body: second } = await api.get(`${path}?limit=2&continue=${first.metadata.continue}`);
  const { body: third } = await api.get(`${path}?limit=2&continue=${second.metadata.continue}`);
  assert.deepEqual([first, second, third].flatMap(names), ['o00', 'o01', 'o02', 'o03', 'o04']);
  assert.equal(third.metadata.continue, undefined);
  assert.equal(third.metadata.resourceVersion, first.metadata.resourceVersion);
});

test('pages of a list with a selector have no remainingItemCount', async () => {
  const path = await filled(6);
  const { body: first } = await api.get(`${path}?limit=2&labelSelector=parity%3Deven`);
  assert.deepEqual(names(first), ['o00', 'o02']);
  assert.equal(first.metadata.remainingItemCount, undefined);
  const { body: rest } = await api.get(
    `${path}?limit=2&labelSelector=parity%3Deven&continue=${first.metadata.continue}`,
  );
  assert.deepEqual(names(rest), ['o04']);
});

test('Exact returns a past revision, NotOlderThan at least the given one', async () => {
  const path = await filled(2);
  const { body: then } = await api.get(path);
  const revision = then.metadata.resourceVersion;
  await api.put(`${path}/o00`, { metadata: { name: 'o00' }, data: { new: 'yes' } });
  await api.delete(`${path}/o01`);
  const { body: exact } = await api.get(`${path}?resourceVersion=${revision}&resourceVersionMatch=Exact`);
  assert.deepEqual(exact, then);
  const { body: newer } = await api.get(
    `${path}?resourceVersion=${revision}&resourceVersionMatch=NotOlderThan`,
  );
  assert.deepEqual(names(newer), ['o00']);
  assert.ok(Number(newer.metadata.resourceVersion) > Number(revision));
});

test('a future revision is 504 with a cause and Retry-After', async () => {
  const pending = api.get('/api/v1/configmaps?resourceVersion=999999999');
  const advance = setInterval(() => api.server.clock.advance(1_000), 10);
  const { code, body, headers } = await pending;
  clearInterval(advance);
  assert.equal(code, 504);
  assert.match(body.message, /Too large resource version: 999999999, current: \d+/);
  assert.equal(body.details.causes[0]?.reason, 'ResourceVersionTooLarge');
  assert.equal(headers.get('retry-after'), '1');
});

test('a compacted revision is 410 Expired, and an expired continue token returns an inconsistent one', async () => {
  const path = await filled(4);
  const { body: first } = await api.get(`${path}?limit=2`);
  await api.delete(`${path}/o00`);
  api.server.clock.advance(6 * 60_000);
  await api.post(path, { metadata: { name: 'o09' } });
  api.server.clock.advance(6 * 60_000);
  const exact = await api.get(
    `${path}?resourceVersion=${first.metadata.resourceVersion}&resourceVersionMatch=Exact`,
  );
  assert.equal(exact.code, 410);
  assert.equal(exact.body.reason, 'Expired');
  const late = await api.get(`${path}?limit=2&continue=${first.metadata.continue}`);
  assert.equal(late.code, 410);
  const { body: rest } = await api.get(`${path}?continue=${late.body.metadata.continue}`);
  assert.deepEqual(names(rest), ['o02', 'o03', 'o09']);
});

test('a limit applies to a list at resourceVersion=0 too', async () => {
  const path = await api.namespace();
  for (const name of ['a', 'b', 'c']) await api.post(path, { metadata: { name } });
  const first = await api.get(`${path}?limit=2&resourceVersion=0`);
  assert.deepEqual(names(first.body), ['a', 'b']);
  assert.equal(first.body.metadata.remainingItemCount, 1);
  const rest = await api.get(`${path}?limit=2&resourceVersion=0&continue=${first.body.metadata.continue}`);
  assert.deepEqual(names(rest.body), ['c']);
  assert.equal(rest.body.metadata.continue, undefined);
});

for (const query of [
  'resourceVersionMatch=Exact',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'resourceVersion=1&resourceVersionMatch=Nope',
  'sendInitialEvents=true',
]) {
  test(`list with ${query} is rejected`, async () => {
    assert.equal((await api.get(`/api/v1/configmaps?${query}`)).code, 422);
  });
}

test('a list longer than 128 KiB is gzipped if the client accepts it', async () => {
  const path = await api.namespace();
  for (let i = 0; i < 3; i++) {
    await api.post(path, { metadata: { name: `big-${i}` }, data: { k: 'x'.repeat(60_000) } });
  }
  const { headers, body } = await api.get(path, { 'accept-encoding': 'gzip' });
  assert.equal(headers.get('content-encoding'), 'gzip');
  assert.equal(body.items.length, 3);
});
