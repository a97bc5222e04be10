import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, type TestResponse, testServer } from '../support/client.ts';
import { startServer } from '../support/servers.ts';

const api = testServer({ serviceClusterIpRange: ['10.20.0.0/16', 'fd00:20::/108'] });
const ipaddresses = '/apis/networking.orch.io/v1/ipaddresses';
const servicecidrs = '/apis/networking.orch.io/v1/servicecidrs';

interface Spec {
  clusterIP?: string;
  clusterIPs?: string[];
  ipFamilies?: string[];
  type?: string;
  healthCheckNodePort?: number;
  ports?: { nodePort?: number }[];
}

const specOf = ({ body }: TestResponse) => body.spec as Spec;
const service = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});
const addressNames = async () =>
  (await api.get(ipaddresses)).body.items.map((item: Body) => item.metadata.name);

test('200 concurrent Services get 200 distinct cluster IPs and node ports, each IP with an IPAddress', async () => {
  const services = await api.namespace('services');
  const made = await Promise.all(
    Array.from({ length: 200 }, (_, i) => api.post(services, service(`s${i}`, { type: 'NodePort' }))),
  );
  assert.ok(made.every(({ code }) => code === 201));
  const addresses = made.map((response) => specOf(response).clusterIP!);
  const ports = made.map((response) => specOf(response).ports![0]!.nodePort!);
  assert.equal(new Set(addresses).size, 200);
  assert.equal(new Set(ports).size, 200);
  assert.ok(ports.every((port) => port >= 30_086 && port <= 32_767));
  const kept = new Set(await addressNames());
  assert.ok(addresses.every((address) => kept.has(address)));

  const gone = await Promise.all(made.map(({ body }) => api.delete(`${services}/${body.metadata.name}`)));
  assert.ok(gone.every(({ code, body }) => code === 200 && body.kind === 'Service'));
  const left = new Set(await addressNames());
  assert.ok(addresses.every((address) => !left.has(address)));
});

test('a cluster IP has an IPAddress that references its Service', async () => {
  const services = await api.namespace('services');
  const { body } = await api.post(services, service('a', { clusterIP: '10.20.0.5' }));
  const kept = (await api.get(`${ipaddresses}/10.20.0.5`)).body;
  assert.deepEqual(kept.spec, {
    parentRef: { resource: 'services', namespace: body.metadata.namespace, name: 'a' },
  });
  assert.deepEqual(kept.metadata.labels, {
    'ipaddress.orch.io/ip-family': 'IPv4',
    'ipaddress.orch.io/managed-by': 'ipallocator.orch.io',
  });
  const taken = await api.post(services, service('b', { clusterIP: '10.20.0.5' }));
  assert.equal(taken.code, 422);
  assert.match(taken.body.message, /failed to allocate IP 10\.20\.0\.5: provided IP is already allocated/);
});

test('a failed write releases its allocations', async () => {
  const services = await api.namespace('services');
  await api.post(services, service('there'));
  const before = await addressNames();
  const wanted = { type: 'NodePort', clusterIP: '10.20.0.6', ports: [{ port: 80, nodePort: 30_006 }] };
  const failures = {
    'a name that is taken': service('there', wanted),
    'a spec that is invalid': service('new', { ...wanted, sessionAffinity: 'Nope' }),
    'a port that cannot be had': service('new', { ...wanted, ports: [{ port: 80, nodePort: 29_999 }] }),
  };
  for (const [why, object] of Object.entries(failures)) {
    assert.ok((await api.post(services, object)).code >= 400, why);
    assert.deepEqual(await addressNames(), before, why);
  }
  assert.equal((await api.post(services, service('new', wanted))).code, 201, 'so it is free');
});

test('a dry run allocates nothing', async () => {
  const services = await api.namespace('services');
  const before = await addressNames();
  const wanted = service('a', {
    type: 'NodePort',
    clusterIP: '10.20.0.7',
    ports: [{ port: 80, nodePort: 30_007 }],
  });
  assert.equal((await api.post(`${services}?dryRun=All`, wanted)).code, 201);
  assert.equal((await api.post(`${services}?dryRun=All`, service('b'))).code, 201);
  assert.deepEqual(await addressNames(), before);
  assert.equal((await api.post(services, wanted)).code, 201);
  await api.delete(`${services}/a?dryRun=All`);
  assert.ok((await addressNames()).includes('10.20.0.7'));
});

test('headless Services and ExternalName Services get no cluster IP', async () => {
  const services = await api.namespace('services');
  const before = await addressNames();
  const headless = await api.post(services, service('a', { clusterIP: 'None' }));
  assert.deepEqual(specOf(headless).clusterIPs, ['None']);
  const alias = await api.post(services, service('b', { type: 'ExternalName', externalName: 'example.com' }));
  assert.equal(specOf(alias).clusterIP, undefined);
  assert.deepEqual(await addressNames(), before);
});

test('a change of type releases unneeded allocations and keeps the others', async () => {
  const services = await api.namespace('services');
  const balanced = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
  const first = specOf(await api.post(services, service('a', balanced)));
  const unchanged = specOf(await api.put(`${services}/a`, service('a', balanced)));
  assert.deepEqual(unchanged, first);
  const inside = specOf(await api.put(`${services}/a`, service('a')));
  assert.equal(inside.clusterIP, first.clusterIP);
  assert.equal(inside.ports![0]!.nodePort, undefined);
  assert.equal(inside.healthCheckNodePort, undefined);
  const again = { type: 'NodePort', ports: [{ port: 80, nodePort: first.ports![0]!.nodePort }] };
  assert.equal((await api.post(services, service('b', again))).code, 201, 'the port is free');
  await api.put(`${services}/a`, service('a', { type: 'ExternalName', externalName: 'example.com' }));
  assert.equal((await api.get(`${ipaddresses}/${first.clusterIP}`)).code, 404);
});

test('a dual-stack Service has two cluster IPs, and can release the second', async () => {
  const services = await api.namespace('services');
  const single = specOf(await api.post(services, service('a')));
  assert.deepEqual(single.ipFamilies, ['IPv4']);
  const both = specOf(await api.put(`${services}/a`, service('a', { ipFamilyPolicy: 'PreferDualStack' })));
  assert.deepEqual(both.ipFamilies, ['IPv4', 'IPv6']);
  assert.equal(both.clusterIPs![0], single.clusterIP);
  assert.match(both.clusterIPs![1]!, /^fd00:20::/);
  assert.equal((await api.get(`${ipaddresses}/${both.clusterIPs![1]}`)).code, 200);
  const back = specOf(await api.put(`${services}/a`, service('a', { ipFamilyPolicy: 'SingleStack' })));
  assert.deepEqual(back.clusterIPs, [single.clusterIP]);
  assert.equal((await api.get(`${ipaddresses}/${both.clusterIPs![1]}`)).code, 404);
});

test('a Service with finalizers keeps its cluster IP until the last is removed', async () => {
  const services = await api.namespace('services');
  const waiting = service('a', { clusterIP: '10.20.0.8' });
  await api.post(services, { ...waiting, metadata: { name: 'a', finalizers: ['example.com/wait'] } });
  await api.delete(`${services}/a`);
  assert.equal((await api.get(`${ipaddresses}/10.20.0.8`)).code, 200);
  await api.put(`${services}/a`, waiting);
  assert.equal((await api.get(`${ipaddresses}/10.20.0.8`)).code, 404);
});

test('the Endpoints of a Service are deleted with it', async () => {
  const services = await api.namespace('services');
  const endpoints = services.replace(/services$/, 'endpoints');
  await api.post(services, service('a'));
  await api.post(endpoints, { metadata: { name: 'a' }, subsets: [] });
  await api.delete(services);
  assert.equal((await api.get(`${endpoints}/a`)).code, 404);
});

test('the default ServiceCIDR is recreated; further ServiceCIDRs extend the range', async () => {
  const range = (await api.get(`${servicecidrs}/orch`)).body;
  assert.deepEqual(range.spec, { cidrs: ['10.20.0.0/16', 'fd00:20::/108'] });
  const services = await api.namespace('services');
  const outside = service('a', { clusterIP: '192.0.2.9' });
  assert.equal((await api.post(services, outside)).code, 422);
  await api.post(servicecidrs, { metadata: { name: 'more' }, spec: { cidrs: ['192.0.2.0/24'] } });
  assert.equal((await api.post(services, outside)).code, 201);
  await api.delete(`${servicecidrs}/more`);
  assert.equal((await api.get(`${services}/a`)).code, 200, 'what has an address keeps it');
  await api.delete(`${services}/a`);
  assert.equal((await api.get(`${ipaddresses}/192.0.2.9`)).code, 404);

  await api.delete(`${servicecidrs}/orch`);
  while ((await api.get(`${servicecidrs}/orch`)).code === 404);
  assert.equal((await api.post(services, service('b'))).code, 201);
});

test('a deleted IPAddress of a Service is recreated', async () => {
  const services = await api.namespace('services');
  await api.post(services, service('a', { clusterIP: '10.20.0.10' }));
  const before = (await api.get(`${ipaddresses}/10.20.0.10`)).body;
  await api.delete(`${ipaddresses}/10.20.0.10`);
  let after = await api.get(`${ipaddresses}/10.20.0.10`);
  while (after.code === 404) after = await api.get(`${ipaddresses}/10.20.0.10`);
  assert.deepEqual(after.body.spec, before.spec);
  assert.notEqual(after.body.metadata.uid, before.metadata.uid);
});

test('after a reset all allocations are released', async () => {
  const server = await startServer();
  const create = (name: string) =>
    server.client.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'default', name },
      spec: { type: 'NodePort', clusterIP: '10.0.0.9', ports: [{ port: 80, nodePort: 30_009 }] },
    });
  await create('a');
  await assert.rejects(create('b'), /already allocated/);
  server.reset();
  await create('b');
  await server.stop();
});
