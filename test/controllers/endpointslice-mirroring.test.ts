// endpointslice-mirroring-controller, with the controllers of Endpoints and EndpointSlices beside it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { controllersIdle, until } from '../support/controllers.ts';
import { WorkloadNamespace } from '../support/workloads.ts';

const api = testServer({
  controllers: [
    'endpoints-controller',
    'endpointslice-controller',
    'endpointslice-mirroring-controller',
    'garbage-collector-controller',
  ],
});

const ports = [{ name: 'http', port: 80 }];

interface Slice extends Body {
  readonly addressType: string;
  readonly endpoints: { addresses: string[]; conditions: object; nodeName?: string; hostname?: string }[];
  readonly ports: { name: string; port: number; protocol: string }[];
}

async function slices(namespace: WorkloadNamespace): Promise<Slice[]> {
  const { body } = await api.get(`/apis/discovery.orch.io/v1/namespaces/${namespace.name}/endpointslices`);
  return body.items as Slice[];
}

const untilSlices = (namespace: WorkloadNamespace, isGood: (found: Slice[]) => boolean) =>
  until(() => slices(namespace), isGood);

const addressesOf = (found: readonly Slice[]) =>
  found.flatMap(({ endpoints }) => endpoints.flatMap(({ addresses }) => addresses)).sort();

const subset = (ip: string, port = 8080) => ({ addresses: [{ ip }], ports: [{ name: 'http', port }] });

/** A Service without a selector, and its Endpoints. */
async function mirrored(subsets: object[], metadata: object = {}): Promise<WorkloadNamespace> {
  const namespace = await WorkloadNamespace.create(api);
  await namespace.create('services', { metadata: { name: 'db' }, spec: { ports } });
  await namespace.create('endpoints', { metadata: { name: 'db', ...metadata }, subsets });
  return namespace;
}

test('Endpoints of a Service without a selector are mirrored, with labels and annotations', async () => {
  const annotations = { note: 'x', 'endpoints.orch.io/last-change-trigger-time': '2024-01-01T00:00:00Z' };
  const namespace = await mirrored(
    [
      {
        addresses: [{ ip: '192.168.0.1', hostname: 'first', nodeName: 'n' }, { ip: 'fd00::1' }],
        notReadyAddresses: [{ ip: '192.168.0.2' }],
        ports: [{ name: 'http', port: 8080 }],
      },
    ],
    { labels: { tier: 'data' }, annotations },
  );
  const found = await untilSlices(namespace, ({ length }) => length === 2);
  const ipv4 = found.find(({ addressType }) => addressType === 'IPv4')!;
  assert.deepEqual(ipv4.metadata.labels, {
    tier: 'data',
    'orch.io/service-name': 'db',
    'endpointslice.orch.io/managed-by': 'endpointslicemirroring-controller.orch.io',
  });
  assert.deepEqual(ipv4.metadata.annotations, { note: 'x' });
  assert.match(ipv4.metadata.name, /^db-[a-z0-9]{5}$/);
  assert.deepEqual(ipv4.endpoints, [
    { addresses: ['192.168.0.1'], conditions: { ready: true }, hostname: 'first', nodeName: 'n' },
    { addresses: ['192.168.0.2'], conditions: { ready: false } },
  ]);
  assert.deepEqual(ipv4.ports, [{ name: 'http', port: 8080, protocol: 'TCP' }]);
  const { ownerReferences } = ipv4.metadata as unknown as { ownerReferences: Record<string, unknown>[] };
  const { uid } = (await namespace.get('endpoints/db')).metadata;
  const owner = { apiVersion: 'v1', kind: 'Endpoints', name: 'db', uid };
  assert.deepEqual(ownerReferences, [{ ...owner, controller: true, blockOwnerDeletion: true }]);
  assert.deepEqual(addressesOf(found), ['192.168.0.1', '192.168.0.2', 'fd00::1']);
});

test('changes are mirrored in the same slice, and subsets with other ports have their own', async () => {
  const namespace = await mirrored([subset('192.168.0.1')]);
  const [first] = await untilSlices(namespace, ({ length }) => length === 1);
  await namespace.patch('endpoints/db', { subsets: [subset('192.168.0.2')] });
  const [second] = await untilSlices(namespace, (found) => addressesOf(found)[0] === '192.168.0.2');
  assert.equal(second!.metadata.uid, first!.metadata.uid);
  await namespace.patch('endpoints/db', { subsets: [subset('192.168.0.2'), subset('192.168.0.3', 9090)] });
  await untilSlices(namespace, (found) => found.length === 2 && addressesOf(found).length === 2);
  await namespace.patch('endpoints/db', { metadata: { labels: { tier: 'data' } } });
  await untilSlices(namespace, (found) => found.every(({ metadata }) => metadata.labels.tier === 'data'));
  await namespace.patch('endpoints/db', { subsets: [] });
  await untilSlices(namespace, ({ length }) => length === 0);
});

test('a slice is written only if its content changes', async () => {
  const namespace = await mirrored([subset('192.168.0.1')]);
  const [before] = await untilSlices(namespace, ({ length }) => length === 1);
  const appliedConfiguration = { 'kubectl.orch.io/last-applied-configuration': '{}' };
  await namespace.patch('endpoints/db', { metadata: { annotations: appliedConfiguration } });
  await controllersIdle(api);
  const [after] = await slices(namespace);
  assert.equal(after!.metadata.resourceVersion, before!.metadata.resourceVersion);
});

test('the label skip-mirror, a selector, and the deletion of the Service or the Endpoints end the mirroring', async () => {
  const ends: ((namespace: WorkloadNamespace) => Promise<unknown>)[] = [
    (namespace) =>
      namespace.patch('endpoints/db', {
        metadata: { labels: { 'endpointslice.orch.io/skip-mirror': 'true' } },
      }),
    (namespace) => namespace.delete('services/db'),
    (namespace) => namespace.delete('endpoints/db'),
  ];
  for (const end of ends) {
    const namespace = await mirrored([subset('192.168.0.1')]);
    await untilSlices(namespace, ({ length }) => length === 1);
    await end(namespace);
    await untilSlices(namespace, ({ length }) => length === 0);
  }
  const namespace = await mirrored([subset('192.168.0.1')]);
  await untilSlices(namespace, ({ length }) => length === 1);
  await namespace.patch('services/db', { spec: { selector: { app: 'db' } } });
  const [own] = await untilSlices(namespace, ([found]) =>
    (found?.metadata.labels['endpointslice.orch.io/managed-by'] ?? '').startsWith('endpointslice-controller'),
  );
  assert.deepEqual(own!.endpoints ?? [], []);
});

test('Endpoints of Services with a selector and locks of leader elections are not mirrored', async () => {
  const namespace = await WorkloadNamespace.create(api);
  await namespace.create('services', { metadata: { name: 'lock' }, spec: { ports } });
  const annotations = { 'control-plane.alpha.orch.io/leader': '{}' };
  await namespace.create('endpoints', {
    metadata: { name: 'lock', annotations },
    subsets: [subset('192.168.0.1')],
  });
  await namespace.create('endpoints', { metadata: { name: 'none' }, subsets: [subset('192.168.0.1')] });
  await controllersIdle(api);
  assert.deepEqual(await slices(namespace), []);
});

test('at most 1000 addresses of a subset are mirrored, and an Event reports the others', async () => {
  const addresses = Array.from({ length: 1002 }, (_, index) => ({
    ip: `10.${index >> 8}.${index & 255}.1`,
  }));
  const namespace = await mirrored([{ addresses, ports: [{ name: 'http', port: 8080 }] }]);
  await untilSlices(namespace, (found) => addressesOf(found).length === 1000);
  const [event] = await namespace.untilEvents('Endpoints', 1);
  assert.equal(
    event,
    'Warning TooManyAddressesToMirror A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 2 addresses were skipped',
  );
});

test('a slice that a client deletes is restored', async () => {
  const namespace = await mirrored([subset('192.168.0.1')]);
  const [slice] = await untilSlices(namespace, ({ length }) => length === 1);
  const { name, uid } = slice!.metadata;
  await api.delete(`/apis/discovery.orch.io/v1/namespaces/${namespace.name}/endpointslices/${name}`);
  await untilSlices(namespace, ([found]) => found !== undefined && found.metadata.uid !== uid);
});
