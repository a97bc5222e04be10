// Snapshots in files, and forks.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type EmbeddedServer, startServer } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-snapshots-'));
after(() => rmSync(folder, { recursive: true }));

const configMap = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});
const names = async ({ client }: EmbeddedServer) =>
  (await client.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' })).items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== 'orch-root-ca.crt' && name !== 'kube-root-ca.crt');

test('a snapshot is written to a file and restored on another server', async () => {
  const server = await startServer();
  await server.client.create(configMap('saved'));
  const file = join(folder, 'state.backup');
  await server.saveSnapshot(file);
  await assert.rejects(server.saveSnapshot(file), /already exists/);
  await server.stop();
  const other = await startServer();
  await other.client.create(configMap('gone'));
  await other.loadSnapshot(file);
  assert.deepEqual(await names(other), ['saved']);
  await other.client.create(configMap('next'));
  assert.deepEqual(await names(other), ['next', 'saved']);
  await other.stop();
  const foreign = await startServer({ dialect: 'kubernetes' });
  await assert.rejects(foreign.loadSnapshot(file), /start the server with \{ dialect: 'orch' \}/);
  await foreign.stop();
});

test('a fork starts from the same objects and clock, and is independent', async () => {
  const kinds = [{ group: 'example.com', kind: 'Thing' }];
  const server = await startServer({ kinds });
  await server.client.create(configMap('shared'));
  server.clock.freeze();
  server.clock.set('2030-01-01T00:00:00Z');
  const [one, two] = await Promise.all([server.fork(), server.fork()]);
  assert.equal(one.clock.now(), server.clock.now());
  one.clock.advance(60_000);
  await one.client.create(configMap('one'));
  await two.client.delete({ ...configMap('shared'), name: 'shared', namespace: 'default' });
  await two.client.create({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 't', namespace: 'default' },
  });
  assert.deepEqual(await Promise.all([server, one, two].map(names)), [['shared'], ['one', 'shared'], []]);
  assert.equal(server.clock.now(), two.clock.now());
  const { metadata } = await one.client.get({ ...configMap('one'), name: 'one', namespace: 'default' });
  assert.equal(metadata.creationTimestamp, '2030-01-01T00:01:00Z');
  one.reset();
  assert.deepEqual(await names(one), ['shared']);
  await Promise.all([server, one, two].map((each) => each.stop()));
});
