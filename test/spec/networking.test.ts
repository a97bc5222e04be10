import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const addresses = kind(http, '/apis/networking.orch.io/v1beta1/ipaddresses');
const ranges = kind(http, '/apis/networking.orch.io/v1beta1/servicecidrs');
const named = (name: string) => ({ metadata: { name } });

test('IPAddress: the name of an IPv4 one is four decimal numbers without leading zeros', async () => {
  await addresses.valid(named('192.168.1.5'));
  for (const bad of ['192.168.01.5', '192.168.1', '192.168.1.256', 'host']) {
    await addresses.invalid(named(bad), 'metadata.name');
  }
});

test('IPAddress: the name of an IPv6 one is in the form of RFC 5952', async () => {
  await addresses.valid(named('2001:db8::1'));
  for (const bad of ['2001:DB8::1', '2001:0db8::1', '2001:db8:0:0:0:0:0:1', '::ffff:10.0.0.1']) {
    await addresses.invalid(named(bad), 'metadata.name');
  }
});

test('IPAddress: it references a parent by resource and name', async () => {
  await addresses.valid({ spec: { parentRef: { group: 'example.com', namespace: 'ns' } } });
  await addresses.invalid({ spec: { parentRef: null } }, 'spec.parentRef');
  await addresses.invalid({ spec: { parentRef: { name: null } } }, 'spec.parentRef.name');
  await addresses.invalid({ spec: { parentRef: { resource: null } } }, 'spec.parentRef.resource');
});

test('ServiceCIDR: one range, or one of each family, in canonical form', async () => {
  const of = (...cidrs: string[]) => ({ spec: { cidrs } });
  await ranges.valid(of('10.1.0.0/16'));
  await ranges.valid(of('10.1.0.0/16', 'fd00:1::/112'));
  await ranges.invalid(of(), 'spec.cidrs');
  await ranges.invalid(of('10.1.0.0/16', '10.2.0.0/16'), 'spec.cidrs');
  await ranges.invalid(of('10.1.2.3/16'), 'spec.cidrs[0]');
  await ranges.invalid(of('fd00:0001::/112'), 'spec.cidrs[0]');
});

test('ServiceCIDR: its ranges do not change, but for a second family', async () => {
  const range = await ranges.create();
  const [first] = range.spec.cidrs as string[];
  await ranges.invalidUpdate(range, { spec: { cidrs: ['10.98.0.0/16'] } }, 'spec.cidrs[0]');
  await ranges.invalidUpdate(range, { spec: { cidrs: [first, '10.98.0.0/16'] } }, 'spec.cidrs');
  const both = await ranges.update(range, { spec: { cidrs: [first, 'fd00:1::/112'] } });
  assert.deepEqual(both.spec.cidrs, [first, 'fd00:1::/112']);
  await ranges.invalidUpdate(both, { spec: { cidrs: [first] } }, 'spec.cidrs');
});

test('Ingress v1: pathType is required and Prefix, Exact or ImplementationSpecific', async () => {
  const ingresses = kind(http, '/apis/networking.orch.io/v1/namespaces/default/ingresses');
  const backend = { service: { name: 's', port: { name: 'web' } } };
  const of = (path: object) => ({
    spec: { rules: [{ http: { paths: [{ path: '/', backend, ...path }] } }] },
  });
  for (const pathType of ['Prefix', 'Exact', 'ImplementationSpecific'])
    await ingresses.valid(of({ pathType }));
  const at = 'spec.rules[0].http.paths[0].pathType';
  for (const pathType of [undefined, 'Suffix']) await ingresses.invalid(of({ pathType }), at);
});

test('Ingress v1: defaultBackend has a service with a port by number or by name', async () => {
  const ingresses = kind(http, '/apis/networking.orch.io/v1/namespaces/default/ingresses');
  const to = (port: object) => ({ spec: { defaultBackend: { service: { name: 's', port } } } });
  await ingresses.valid(to({ number: 80 }));
  await ingresses.valid(to({ number: null, name: 'web' }));
  await ingresses.invalid(to({ name: 'web' }), 'spec.defaultBackend');
  const old = { metadata: { name: 'old' }, spec: { backend: { serviceName: 's', servicePort: 80 } } };
  const { body } = await http.post(`${ingresses.collection}?fieldValidation=Strict`, old);
  assert.match(body.message, /unknown field "spec\.backend"/);
});

test('EndpointSlice v1: endpoints have nodeName and zone, and deprecatedTopology is read-only', async () => {
  const slices = kind(http, '/apis/discovery.orch.io/v1/namespaces/default/endpointslices');
  const endpoint = { addresses: ['10.0.0.1'], nodeName: 'n', zone: 'z', conditions: {} };
  const { endpoints } = await slices.valid({ endpoints: [endpoint] });
  assert.deepEqual(endpoints, [endpoint]);
  const topology = { 'orch.io/hostname': 'n' };
  const written = await slices.valid({ endpoints: [{ ...endpoint, deprecatedTopology: topology }] });
  assert.deepEqual(written.endpoints, [endpoint]);
});
