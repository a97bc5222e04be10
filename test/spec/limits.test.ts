/** SPEC's limits of the whole server; limits of fields are tested with their kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const http = testServer();
const minute = 60_000;

test('watch history is retained for 5 minutes', async () => {
  const maps = await http.namespace();
  const { body: before } = await http.get(maps);
  const from = `${maps}?watch=1&timeoutSeconds=1&resourceVersion=${before.metadata.resourceVersion}`;
  await http.post(maps, { metadata: { name: 'a' } });
  http.server.clock.advance(4 * minute);
  const events = await (await http.watch(from)).rest();
  assert.deepEqual(
    events.map(({ type }) => type),
    ['ADDED'],
  );
  http.server.clock.advance(2 * minute);
  await http.post(maps, { metadata: { name: 'b' } });
  http.server.clock.advance(6 * minute);
  const late = async () =>
    (await (await http.watch(from)).rest()).map(({ type, object }) => [type, object.code]);
  // Compaction runs soon, not at once.
  let told = await late();
  while (told[0]?.[0] === 'ADDED') told = await late();
  assert.deepEqual(told, [['ERROR', 410]]);
});

test('a continue token expires after 5 minutes with 410', async () => {
  const maps = await http.namespace();
  for (const name of ['a', 'b', 'c']) await http.post(maps, { metadata: { name } });
  const { body: page } = await http.get(`${maps}?limit=1`);
  http.server.clock.advance(4 * minute);
  const next = await http.get(`${maps}?limit=1&continue=${page.metadata.continue}`);
  assert.equal(next.code, 200);
  await http.delete(`${maps}/c`);
  http.server.clock.advance(6 * minute);
  await http.post(maps, { metadata: { name: 'd' } });
  http.server.clock.advance(6 * minute);
  const goOn = () => http.get(`${maps}?limit=1&continue=${page.metadata.continue}`);
  let late = await goOn();
  while (late.code === 200) late = await goOn();
  assert.equal(late.code, 410);
  assert.equal(late.body.reason, 'Expired');
});

test('limit caps the items of a page', async () => {
  const maps = await http.namespace();
  for (const name of ['a', 'b', 'c']) await http.post(maps, { metadata: { name } });
  assert.equal((await http.get(`${maps}?limit=2`)).body.items.length, 2);
  const { body } = await http.get(`${maps}?limit=3`);
  assert.equal(body.items.length, 3);
  assert.equal(body.metadata.continue, undefined);
});
