import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import { defaultOptions } from '../../src/server/options.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { runServer } from '../support/servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-config-maps-'));
const certDir = join(folder, 'pki');
after(() => rmSync(folder, { recursive: true, force: true }));

const clock = new MovableClock();
const tracking = 'orch-apiserver-legacy-service-account-token-tracking';
const authorities = 'extension-apiserver-authentication';

async function whileRunning(use: (server: RunningServer) => Promise<void>): Promise<void> {
  const own = { dataDir: folder, certDir, securePort: 0, bindAddress: '127.0.0.1' };
  const server = await runServer({ ...defaultOptions, ...own }, { logger: silentLogger, clock });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

const configMap = ({ client }: RunningServer, name: string) =>
  client.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'orch-system', name });

const replace = async (server: RunningServer, name: string, data: object) => {
  const found = await configMap(server, name);
  await server.client.update({ ...found, data });
};

/** Without its request header settings. */
const published = async (server: RunningServer) => {
  const { data } = await configMap(server, authorities);
  const entries = Object.entries(data as Record<string, string>);
  return Object.fromEntries(entries.filter(([key]) => !key.startsWith('requestheader-')));
};

const today = () => new Date(clock.now()).toISOString().slice(0, 10);

test('a server records the first day of legacy token tracking, and keeps it', async () => {
  const first = today();
  await whileRunning(async (server) => {
    assert.deepEqual((await configMap(server, tracking)).data, { since: first });
  });
  clock.advance(3 * 24 * 3600 * 1000);
  await whileRunning(async (server) => {
    assert.deepEqual((await configMap(server, tracking)).data, { since: first });
    await replace(server, tracking, { since: 'long ago', note: 'mine' });
  });
  await whileRunning(async (server) => {
    assert.deepEqual((await configMap(server, tracking)).data, { since: today(), note: 'mine' });
  });
});

test('a server publishes its client CA beside those of other servers', async () => {
  const own = () => readFileSync(join(certDir, 'ca.crt'), 'utf8').trim();
  await whileRunning(async (server) => {
    assert.deepEqual(await published(server), { 'client-ca-file': `${own()}\n` });
    await replace(server, authorities, { 'client-ca-file': 'rubbish', mine: '[]' });
  });
  const former = own();
  rmSync(certDir, { recursive: true });
  await whileRunning(async (server) => {
    assert.notEqual(own(), former);
    assert.deepEqual(await published(server), { 'client-ca-file': `${own()}\n`, mine: '[]' });
    await replace(server, authorities, { 'client-ca-file': former });
  });
  await whileRunning(async (server) => {
    assert.deepEqual(await published(server), { 'client-ca-file': `${former}\n${own()}\n` });
  });
});
