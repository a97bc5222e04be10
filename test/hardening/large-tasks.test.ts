// Large reads and writes run on worker threads: other requests do not wait for them, and users share the threads fairly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertUsersTakeTurns } from './fair-users.ts';
import { times } from './hostile-definitions.ts';
import { RealServer } from './real-server.ts';

const server = new RealServer({ verbosity: 0, writeThreads: 1 });
const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, keyCount: number) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: Object.fromEntries(times(keyCount, (i) => [i.toString(36), ''])),
  });

test('a request is answered before earlier ones that read a large object as a Table', async () => {
  assert.equal((await server.post(configMaps, configMap('large', 90_000))).code, 201);
  const answered: string[] = [];
  const get = async (what: string, path: string, accept = 'application/json') => {
    const { code } = await server.ask(path, { plain: true, headers: { accept } });
    assert.equal(code, 200);
    answered.push(what);
  };
  const table = 'application/json;as=Table;g=meta.orch.io;v=v1';
  const tables = times(10, () => get('table', `${configMaps}/large`, table));
  await Promise.all([...tables, get('version', '/version')]);
  assert.equal(answered[0], 'version', `${answered}`);
});

test('users take turns to write large objects', async () => {
  await assertUsersTakeTurns(server, {
    path: `${configMaps}?dryRun=All`,
    makeBody: (i) => configMap(`written${i}`, 40_000),
    code: 201,
  });
});
