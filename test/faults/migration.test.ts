import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerProcess } from '../support/server-process.ts';
import {
  holds,
  migrate,
  revisions,
  statusOf,
  store,
  summarizeConditions,
  things,
  until,
} from '../support/storage-migration.ts';

const count = 3_000;

test('a migration resumes after the server was killed', async (t) => {
  const server = await ServerProcess.prepare(t);
  await server.start();
  await store(server, 'v1');
  const kind = { apiVersion: 'example.com/v1', kind: 'Thing' };
  const path = '/apis/example.com/v1/namespaces/default/things';
  for (let start = 0; start < count; start += 100) {
    const some = Array.from({ length: 100 }, (_, i) => `thing-${start + i}`);
    await Promise.all(
      some.map(async (name) => {
        const { code, text } = await server.post(path, { ...kind, metadata: { name }, a: 'x' });
        assert.equal(code, 201, text);
      }),
    );
  }
  const before = revisions(await things(server));
  await store(server, 'v2');
  await migrate(server, 'many', { group: 'example.com', version: 'v2', resource: 'things' });
  const underWay = await until(server, 'many', ({ spec }) => !!spec.continueToken);
  assert.deepEqual(summarizeConditions(statusOf(underWay)), [
    'Running=True StorageVersionMigrationInProgress',
  ]);
  await server.end('SIGKILL');

  await server.start();
  const after = await until(server, 'many', (body) => holds(body, 'Succeeded'));
  assert.equal(statusOf(after).resourceVersion, statusOf(underWay).resourceVersion);
  const now = revisions(await things(server));
  assert.equal(now.size, count);
  const unchanged = [...now].filter(([name, revision]) => before.get(name) === revision);
  assert.deepEqual(unchanged, []);
});
