// endpoints-controller and endpointslice-controller; the tests play scheduler and kubelet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { controllersIdle, until } from '../support/controllers.ts';
import { WorkloadNamespace } from '../support/workloads.ts';

const api = testServer({
  controllers: [
    'endpoints-controller',
    'endpointslice-controller',
    'serviceaccount-controller',
    'garbage-collector-controller',
  ],
});

const labels = { app: 'web' };
const ports = [{ name: 'http', port: 80, targetPort: 8080 }];

interface Endpoint {
  readonly addresses: string[];
  readonly conditions: { ready: boolean; serving: boolean; terminating: boolean };
  readonly hostname?: string;
}

interface Slice extends Body {
  readonly addressType: string;
  readonly endpoints: Endpoint[] | null;
  readonly ports?: { name: string; port: number; protocol: string }[];
}

/** A namespace on a server that has the node. */
async function newNamespace(): Promise<WorkloadNamespace> {
  const nodeLabels = { 'topology.orch.io/zone': 'a' };
  await api.post('/api/v1/nodes', { metadata: { name: 'node', labels: nodeLabels } });
  const namespace = await WorkloadNamespace.create(api);
  await until(
    () => api.get(namespace.path('serviceaccounts/default')),
    ({ code }) => code === 200,
  );
  return namespace;
}

const service = (namespace: WorkloadNamespace, spec: object, name = 'web') =>
  namespace.create('services', {
    metadata: { name, labels: { tier: 'front' } },
    spec: { selector: labels, ports, ...spec },
  });

/** Creates a pod that runs on the node. */
async function pod(namespace: WorkloadNamespace, name: string, ip: string, more: object = {}): Promise<void> {
  const container = { name: 'c', image: 'i', ports: [{ name: 'web', containerPort: 9000 }] };
  await namespace.create('pods', { metadata: { name, labels }, spec: { containers: [container], ...more } });
  await namespace.bind(name, 'node');
  await namespace.setReady(name, true, { podIP: ip, podIPs: [{ ip }] });
}

async function slices(namespace: WorkloadNamespace): Promise<Slice[]> {
  const { body } = await api.get(`/apis/discovery.orch.io/v1/namespaces/${namespace.name}/endpointslices`);
  return body.items as Slice[];
}

const untilSlices = (namespace: WorkloadNamespace, isGood: (found: Slice[]) => boolean) =>
  until(() => slices(namespace), isGood);

const addresses = (found: readonly Slice[]) =>
  found.flatMap(({ endpoints }) => (endpoints ?? []).flatMap((endpoint) => endpoint.addresses)).sort();

test('ready pods of a Service are in its EndpointSlice and its Endpoints', async () => {
  const namespace = await newNamespace();
  await service(namespace, {});
  const [empty] = await untilSlices(namespace, (found) => found.length === 1);
  assert.deepEqual(empty!.endpoints ?? [], []);
  await pod(namespace, 'p', '10.1.0.1');
  const [slice] = await untilSlices(namespace, (found) => addresses(found).length === 1);
  assert.equal(slice!.metadata.name, empty!.metadata.name);
  assert.match(slice!.metadata.name, /^web-[a-z0-9]{5}$/);
  assert.deepEqual(slice!.metadata.labels, {
    tier: 'front',
    'orch.io/service-name': 'web',
    'endpointslice.orch.io/managed-by': 'endpointslice-controller.orch.io',
  });
  const { uid } = (await namespace.get('pods/p')).metadata;
  const targetRef = { kind: 'Pod', namespace: namespace.name, name: 'p', uid };
  const conditions = { ready: true, serving: true, terminating: false };
  assert.deepEqual(slice!.endpoints, [
    { addresses: ['10.1.0.1'], conditions, nodeName: 'node', targetRef, zone: 'a' },
  ]);
  assert.deepEqual(slice!.ports, [{ name: 'http', port: 8080, protocol: 'TCP' }]);
  const endpoints = await namespace.until('endpoints/web', ({ subsets }) => subsets !== undefined);
  assert.deepEqual(endpoints.metadata.labels, {
    tier: 'front',
    'endpoints.orch.io/managed-by': 'endpoint-controller',
  });
  assert.deepEqual(endpoints.subsets, [
    {
      addresses: [{ ip: '10.1.0.1', nodeName: 'node', targetRef }],
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    },
  ]);
  await namespace.delete('services/web');
  await untilSlices(namespace, (found) => found.length === 0);
  await until(
    () => api.get(namespace.path('endpoints/web')),
    ({ code }) => code === 404,
  );
});

test('a pod that is not ready or is terminating is marked, and is ready if the Service publishes it', async () => {
  const namespace = await newNamespace();
  await service(namespace, {});
  await service(namespace, { publishNotReadyAddresses: true }, 'early');
  await pod(namespace, 'p', '10.1.0.2');
  await namespace.setReady('p', false);
  const conditionsIn = async (name: string) =>
    (await slices(namespace)).find(({ metadata }) => metadata.labels['orch.io/service-name'] === name)
      ?.endpoints?.[0]?.conditions;
  const notReady = await until(
    () => conditionsIn('web'),
    (found) => found?.ready === false,
  );
  assert.deepEqual(notReady, { ready: false, serving: false, terminating: false });
  const published = await until(
    () => conditionsIn('early'),
    (found) => found?.serving === false,
  );
  assert.equal(published?.ready, true);
  await namespace.until('endpoints/web', ({ subsets }) =>
    JSON.stringify(subsets).includes('notReadyAddresses'),
  );
  await namespace.setReady('p', true);
  await until(
    () => conditionsIn('web'),
    (found) => found?.ready === true,
  );
  await namespace.delete('pods/p');
  const terminating = await until(
    () => conditionsIn('web'),
    (found) => found?.terminating === true,
  );
  assert.deepEqual(terminating, { ready: false, serving: true, terminating: true });
  await namespace.until('endpoints/web', ({ subsets }) => subsets === undefined);
  await namespace.removeTerminatingPods();
  await untilSlices(namespace, (found) => addresses(found).length === 0);
});

test('pods whose named port differs are in different slices and subsets', async () => {
  const namespace = await newNamespace();
  await service(namespace, { ports: [{ port: 80, targetPort: 'web' }] });
  await pod(namespace, 'p', '10.1.0.3');
  const container = { name: 'c', image: 'i', ports: [{ name: 'web', containerPort: 9001 }] };
  await pod(namespace, 'q', '10.1.0.4', { containers: [container] });
  const found = await untilSlices(namespace, (all) => addresses(all).length === 2);
  assert.deepEqual(found.map(({ ports }) => ports?.[0]?.port).sort(), [9000, 9001]);
  await namespace.until('endpoints/web', ({ subsets }) => (subsets as unknown[] | undefined)?.length === 2);
});

test('pods of a headless Service have host names', async () => {
  const namespace = await newNamespace();
  await service(namespace, { clusterIP: 'None', ports: undefined });
  await pod(namespace, 'p', '10.1.0.5', { hostname: 'first', subdomain: 'web' });
  const [slice] = await untilSlices(namespace, (found) => addresses(found).length === 1);
  assert.equal(slice!.endpoints?.[0]?.hostname, 'first');
  assert.equal(slice!.metadata.labels['service.orch.io/headless'], '');
  const { subsets } = await namespace.until('endpoints/web', (found) => found.subsets !== undefined);
  assert.equal((subsets as { addresses: { hostname: string }[] }[])[0]?.addresses[0]?.hostname, 'first');
});

test('objects are written only if their content changes', async () => {
  const namespace = await newNamespace();
  await service(namespace, {});
  await pod(namespace, 'p', '10.1.0.6');
  await untilSlices(namespace, (found) => addresses(found).length === 1);
  await controllersIdle(api);
  const versions = async () => [
    ...(await slices(namespace)).map(({ metadata }) => metadata.resourceVersion),
    (await namespace.get('endpoints/web')).metadata.resourceVersion,
  ];
  const before = await versions();
  await namespace.patch('pods/p', { metadata: { annotations: { note: 'x' } } });
  await namespace.patch('services/web', { metadata: { annotations: { note: 'x' } } });
  await controllersIdle(api);
  assert.deepEqual(await versions(), before);
  await namespace.patch('services/web', { metadata: { labels: { tier: 'back' } } });
  await untilSlices(namespace, (found) => found.every(({ metadata }) => metadata.labels.tier === 'back'));
});

test('a Service without a selector is left alone', async () => {
  const namespace = await newNamespace();
  await service(namespace, { selector: undefined });
  await controllersIdle(api);
  assert.deepEqual(await slices(namespace), []);
  assert.equal((await api.get(namespace.path('endpoints/web'))).code, 404);
});

test('slices that a client deletes or changes are restored', async () => {
  const namespace = await newNamespace();
  await service(namespace, {});
  await pod(namespace, 'p', '10.1.0.7');
  const [slice] = await untilSlices(namespace, (found) => addresses(found).length === 1);
  const path = `/apis/discovery.orch.io/v1/namespaces/${namespace.name}/endpointslices/${slice!.metadata.name}`;
  await api.delete(path);
  const [restored] = await untilSlices(namespace, (found) => addresses(found).length === 1);
  assert.notEqual(restored!.metadata.uid, slice!.metadata.uid);
  await namespace.delete('endpoints/web');
  await until(
    () => api.get(namespace.path('endpoints/web')),
    ({ code }) => code === 200,
  );
});

test('the annotation last-change-trigger-time is the time of the change that the endpoints react to', async () => {
  const namespace = await newNamespace();
  const { metadata } = await service(namespace, {});
  const annotation = 'endpoints.orch.io/last-change-trigger-time';
  const [empty] = await untilSlices(namespace, (found) => found.length === 1);
  assert.equal(empty!.metadata.annotations[annotation], metadata.creationTimestamp);
  api.server.clock.advance(60_000);
  await pod(namespace, 'p', '10.1.0.8');
  const [slice] = await untilSlices(namespace, (found) => addresses(found).length === 1);
  const { status } = await namespace.get('pods/p');
  const { conditions } = status as { conditions: Record<string, string>[] };
  const readySince = conditions.find(({ type }) => type === 'Ready')!.lastTransitionTime;
  assert.equal(slice!.metadata.annotations[annotation], readySince);
  const endpoints = await namespace.until('endpoints/web', ({ subsets }) => subsets !== undefined);
  assert.equal(endpoints.metadata.annotations[annotation], readySince);
});

test('spec.trafficDistribution PreferClose sets hints for the zones of ready endpoints', async () => {
  const namespace = await newNamespace();
  await service(namespace, { trafficDistribution: 'PreferClose' });
  await pod(namespace, 'p', '10.1.0.9');
  const hints = async () =>
    (await slices(namespace))[0]?.endpoints?.[0] as { hints?: { forZones: { name: string }[] } } | undefined;
  const close = await until(hints, (found) => found?.hints !== undefined);
  assert.deepEqual(close?.hints, { forZones: [{ name: 'a' }] });
  await namespace.patch('services/web', { spec: { trafficDistribution: null } });
  await until(hints, (found) => found !== undefined && found.hints === undefined);
});

test('the topology-mode annotation shares the endpoints between zones', async () => {
  const namespace = await newNamespace();
  const cpu = { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] };
  for (const [name, zone] of [
    ['node', 'a'],
    ['other', 'b'],
  ]) {
    const labels = { 'topology.orch.io/zone': zone };
    await api.post('/api/v1/nodes', { metadata: { name, labels } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const changed = await api.request('PATCH', `/api/v1/nodes/${name}/status`, { status: cpu }, headers);
    assert.equal(changed.code, 200, changed.text);
  }
  await namespace.create('services', {
    metadata: { name: 'web', annotations: { 'service.orch.io/topology-mode': 'Auto' } },
    spec: { selector: labels, ports },
  });
  await pod(namespace, 'p', '10.1.0.10');
  await pod(namespace, 'q', '10.1.0.11');
  const zones = async () =>
    (await slices(namespace))
      .flatMap(({ endpoints }) => endpoints ?? [])
      .flatMap((endpoint) => (endpoint as { hints?: { forZones: { name: string }[] } }).hints?.forZones ?? [])
      .map(({ name }) => name)
      .sort();
  // Both pods are in zone a: one of them serves zone b.
  assert.deepEqual(await until(zones, ({ length }) => length === 2), ['a', 'b']);
  const events = await namespace.untilEvents('Service', 2);
  assert.ok(
    events.includes(
      'Normal TopologyAwareHintsEnabled Topology Aware Hints has been enabled, addressType: IPv4',
    ),
    events.join('\n'),
  );
});
