import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import { defaultOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { TestClient } from '../support/client.ts';

class Server extends TestClient {
  server!: RunningServer;
  readonly clock = new MovableClock();
  readonly store = new MemoryStore({ clock: this.clock });

  get url(): string {
    return this.server.url;
  }

  async start(options: Partial<typeof defaultOptions> = {}): Promise<void> {
    this.server = await runServer(
      { ...defaultOptions, storage: 'memory', httpPort: 0, securePort: undefined, ...options },
      { clock: this.clock, store: this.store, logger: silentLogger },
    );
  }
}

const api = new Server();
before(() => api.start());
after(() => api.server.stop());

const addresses = '/apis/networking.orch.io/v1/ipaddresses';
const services = '/api/v1/namespaces/default/services';
const labels = { 'ipaddress.orch.io/managed-by': 'ipallocator.orch.io' };
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

async function service(name: string, spec: object = {}, server = api) {
  const made = await server.post(services, { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
  assert.equal(made.code, 201, made.text);
  return made.body.spec as { clusterIP: string; ports: { nodePort: number }[] };
}

const keep = async (name: string, parentRef: object, more: object = { labels }) => {
  const made = await api.post(addresses, { metadata: { name, ...more }, spec: { parentRef } });
  assert.equal(made.code, 201, made.text);
};
const serviceRef = (name: string) => ({ resource: 'services', namespace: 'default', name });

async function said(kind: string, name: string, reason: string, server = api): Promise<string> {
  for (let i = 0; i < 3_000; i++) {
    const { body } = await server.get('/api/v1/namespaces/default/events');
    const found = body.items.find(({ involvedObject, reason: why }) => {
      const about = involvedObject as { kind: string; name: string };
      return why === reason && about.kind === kind && about.name === name;
    });
    if (found) {
      assert.equal(found.type, 'Warning');
      return `${found.reportingComponent} ${found.action}: ${found.message}`;
    }
    await settle();
  }
  assert.fail(`nobody said ${reason} of ${name}`);
}

const gone = async (path: string) => {
  for (let i = 0; i < 3_000; i++) {
    if ((await api.get(path)).code === 404) return;
    await settle();
  }
  assert.fail(`${path} is still there`);
};

test('a missing IPAddress of a Service is recreated, with an Event', async () => {
  const { clusterIP } = await service('missing');
  await api.delete(`${addresses}/${clusterIP}`);
  assert.equal(
    await said('Service', 'missing', 'ClusterIPNotAllocated'),
    `ipallocator-repair-controller ClusterIPAllocation: Cluster IP [IPv4]: ${clusterIP} is not allocated; repairing`,
  );
  const { body } = await api.get(`${addresses}/${clusterIP}`);
  assert.deepEqual((body.spec.parentRef as { name: string }).name, 'missing');
});

test('a leaked IPAddress, or one with a wrong parent, is deleted, with an Event', async () => {
  await service('there');
  await keep('10.0.0.3', serviceRef('nowhere'));
  await keep('10.0.0.4', serviceRef('there'));
  await keep('10.0.0.5', { resource: 'pods', namespace: 'default', name: 'p' });
  await keep('10.0.0.6', serviceRef('nowhere'), {});
  api.clock.advance(181_000);
  for (const name of ['10.0.0.3', '10.0.0.4', '10.0.0.5']) await gone(`${addresses}/${name}`);
  const by = 'ipallocator-repair-controller IPAddressAllocation';
  assert.equal(
    await said('IPAddress', '10.0.0.3', 'IPAddressNotAllocated'),
    `${by}: IPAddress: 10.0.0.3 for Service default/nowhere appears to have leaked: cleaning up`,
  );
  assert.equal(
    await said('IPAddress', '10.0.0.4', 'IPAddressWrongReference'),
    `${by}: IPAddress: 10.0.0.4 for Service default/there has a wrong reference; cleaning up`,
  );
  assert.equal(
    await said('IPAddress', '10.0.0.5', 'IPAddressNotAllocated'),
    `${by}: IPAddress 10.0.0.5 appears to have been modified, not referencing a Service &ParentReference{Group:,Resource:pods,Namespace:default,Name:p,}: cleaning up`,
  );
  assert.equal((await api.get(`${addresses}/10.0.0.6`)).code, 200);
});

test('a cluster IP or node port outside the ranges is reported in an Event', async (t) => {
  const ranges = '/apis/networking.orch.io/v1/servicecidrs';
  await api.post(ranges, { metadata: { name: 'more' }, spec: { cidrs: ['10.77.0.0/24'] } });
  await service('far', { clusterIP: '10.77.0.9', type: 'NodePort', ports: [{ port: 80, nodePort: 30_001 }] });
  await api.delete(`${ranges}/more`);
  api.clock.advance(181_000);
  assert.equal(
    await said('Service', 'far', 'ClusterIPOutOfRange'),
    'ipallocator-repair-controller ClusterIPAllocation: Cluster IP [IPv4]: 10.77.0.9 is not within any configured Service CIDR; please recreate service',
  );
  const other = new Server();
  await other.start({ serviceNodePortRange: { first: 31_000, last: 31_100 } });
  t.after(() => other.server.stop());
  other.store.restore(api.store.snapshot());
  other.clock.advance(181_000);
  assert.equal(
    await said('Service', 'far', 'PortOutOfRange', other),
    'portallocator-repair-controller PortAllocation: Port 30001 is not within the port range 31000-31100; please recreate service',
  );
});

test('a cluster IP or node port of two Services is reported in an Event', async () => {
  await service('first', {
    clusterIP: '10.0.0.11',
    type: 'NodePort',
    ports: [{ port: 80, nodePort: 30_011 }],
  });
  await service('other', {
    clusterIP: '10.0.0.12',
    type: 'NodePort',
    ports: [{ port: 80, nodePort: 30_012 }],
  });
  // No request can create this state, so the test writes it to the store directly.
  const key = 'services/specs/default/other';
  const { json, revision, revisionOffset, listItemOffset, labels, selectableFields, schemaFingerprint } =
    api.store.get(key)!;
  const twin = (text: string) => text.replaceAll('10.0.0.12', '10.0.0.11').replaceAll('30012', '30011');
  const text = json.toString().replace(`"resourceVersion":"${revision}"`, '"resourceVersion":""');
  await api.store.commit({
    prefix: 'services/specs',
    key,
    draft: {
      json: Buffer.from(twin(text)),
      revisionOffset,
      listItemOffset,
      labels,
      selectableFields: twin(selectableFields),
      schemaFingerprint,
    },
  });
  api.clock.advance(181_000);
  assert.equal(
    await said('Service', 'other', 'ClusterIPAlreadyAllocated'),
    'ipallocator-repair-controller ClusterIPAllocation: Cluster IP [IPv4]: 10.0.0.11 was assigned to multiple services; please recreate service',
  );
  assert.equal(
    await said('Service', 'other', 'PortAlreadyAllocated'),
    'portallocator-repair-controller PortAllocation: Port 30011 was assigned to multiple services; please recreate service',
  );
});
