import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MovableClock } from '../../src/base/clock.ts';
import { defaultOptions } from '../../src/server/options.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { runServer } from '../support/servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-services-'));
const running = new Set<RunningServer>();
after(async () => {
  // A failed test leaves its server running.
  for (const server of running) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const clock = new MovableClock();
async function start(options: object = {}): Promise<RunningServer> {
  const settings = { dataDir: folder, certDir: join(folder, 'pki'), httpPort: 0, securePort: undefined };
  const server = await runServer(
    { ...defaultOptions, ...settings, ...options },
    { logger: silentLogger, clock },
  );
  running.add(server);
  return server;
}

async function stop(server: RunningServer): Promise<void> {
  running.delete(server);
  await server.stop();
}

const create = ({ client }: RunningServer, name: string, spec: object) =>
  client.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'default', name },
    spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec },
  });

const address = (name: string) => ({ apiVersion: 'networking.orch.io/v1', kind: 'IPAddress', name });

test('a restarted server knows the allocated addresses and ports', async () => {
  const first = await start();
  const wanted = { clusterIP: '10.0.0.9', ports: [{ port: 80, nodePort: 30_009 }] };
  await create(first, 'a', wanted);
  await stop(first);
  const second = await start();
  await assert.rejects(create(second, 'b', { clusterIP: '10.0.0.9' }), /provided IP is already allocated/);
  const samePort = { ports: [{ port: 80, nodePort: 30_009 }] };
  await assert.rejects(create(second, 'b', samePort), /provided port is already allocated/);
  await second.client.delete({ apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'a' });
  await create(second, 'b', wanted);
  await stop(second);
});

test('a second IP family can be added at restart; another range cannot', async () => {
  const range = { apiVersion: 'networking.orch.io/v1', kind: 'ServiceCIDR', name: 'orch' };
  for (const [requested, expected] of [
    [
      ['10.0.0.0/24', 'fd00::/112'],
      ['10.0.0.0/24', 'fd00::/112'],
    ],
    [['10.9.0.0/24'], ['10.0.0.0/24', 'fd00::/112']],
  ] as const) {
    const server = await start({ serviceClusterIpRange: requested });
    assert.deepEqual((await server.client.get(range)).spec, { cidrs: expected });
    const { spec } = await create(server, `service-${requested.length}`, {});
    assert.match((spec as { clusterIP: string }).clusterIP, /^10\.0\.0\./);
    await stop(server);
  }
});

test('an IPAddress without a Service is deleted once it is old enough', async () => {
  const first = await start();
  const labels = { 'ipaddress.orch.io/managed-by': 'ipallocator.orch.io' };
  const keep = (name: string, parent: string, metadata: object = { labels }) =>
    first.client.create({
      apiVersion: 'networking.orch.io/v1',
      kind: 'IPAddress',
      metadata: { name, ...metadata },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: parent } },
    });
  await create(first, 'there', { clusterIP: '10.0.0.2' });
  await keep('10.0.0.3', 'nowhere');
  await keep('10.0.0.4', 'there');
  await keep('10.0.0.5', 'nowhere', {});
  await stop(first);

  const second = await start();
  const left = async () => {
    const { items } = await second.client.list({ apiVersion: 'networking.orch.io/v1', kind: 'IPAddress' });
    // Addresses of the lower band are allocated only on request, so these are the ones of this test.
    return items.map(({ metadata }) => metadata.name ?? '').filter((name) => /^10\.0\.0\.[2-5]$/.test(name));
  };
  assert.deepEqual(
    await left(),
    ['10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'],
    'another server may store theirs',
  );
  clock.advance(61_000);
  while ((await left()).length > 2) await sleep(5);
  assert.deepEqual(await left(), ['10.0.0.2', '10.0.0.5'], 'what others wrote down is theirs');
  await stop(second);
});

test('with HTTPS there is a Service of the API server, which is recreated after deletion', async () => {
  const server = await start({ securePort: 0 });
  const api = { apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'orch' };
  const port = Number(new URL(server.secureUrl!).port);
  const { metadata, spec } = await server.client.get(api);
  assert.deepEqual(metadata.labels, { component: 'apiserver', provider: 'orch' });
  assert.partialDeepStrictEqual(spec, {
    clusterIP: '10.0.0.1',
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
  });
  await server.client.delete(api);
  while (!(await server.client.get(api).catch(() => undefined))) await sleep(5);
  assert.equal((await server.client.get(address('10.0.0.1'))).kind, 'IPAddress');
  await stop(server);
});

test('its endpoints have the address of the server, also on loopback, and follow its port', async () => {
  const { advertisedAddress } = await import('../../src/controllers/kubernetesservice/kubernetes-service.ts');
  for (const bindAddress of ['0.0.0.0', '127.0.0.1', '127.0.0.1']) {
    const { address: found } = advertisedAddress({ bindAddress, advertiseAddress: undefined });
    const server = await start({ securePort: 0, bindAddress });
    const port = Number(new URL(server.secureUrl!).port);
    const name = { namespace: 'default', name: 'orch' };
    const endpoints = await server.client
      .get({ apiVersion: 'v1', kind: 'Endpoints', ...name })
      .catch(() => undefined);
    const slice = await server.client
      .get({ apiVersion: 'discovery.orch.io/v1', kind: 'EndpointSlice', ...name })
      .catch(() => undefined);
    const ports = [{ name: 'https', port, protocol: 'TCP' }];
    // A machine may have only a loopback address.
    assert.deepEqual(endpoints?.subsets, found && [{ addresses: [{ ip: found }], ports }]);
    assert.deepEqual(slice?.endpoints, found && [{ addresses: [found], conditions: { ready: true } }]);
    assert.partialDeepStrictEqual(
      (await server.client.get({ apiVersion: 'v1', kind: 'Service', ...name })).spec,
      {
        ports: [{ targetPort: port }],
      },
    );
    await stop(server);
  }
});
