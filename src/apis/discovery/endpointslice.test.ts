import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { endpointslices } from './endpointslice-definition.ts';

const definition = endpointslices({ dialect: orch, features: everyFeature });
const slice = (more: object) => ({ addressType: 'IPv4', endpoints: [], ...more });
const make = (more: object) => tryCreate(definition, slice(more));
const fields = ({ problems }: { problems: string[] }) => problems.map((problem) => problem.split(': ')[0]);
const address = (addressType: string, ...addresses: string[]) =>
  make({ addressType, endpoints: [{ addresses }] });
const endpoint = (more: object) => make({ endpoints: [{ addresses: ['192.0.2.1'], ...more }] });
const many = <T>(count: number, of: (i: number) => T) => Array.from({ length: count }, (_, i) => of(i));

test('addresses are of the type that the slice says, and such that others can reach', () => {
  assert.deepEqual(address('IPv4', '192.0.2.1', '192.0.2.2').problems, []);
  assert.deepEqual(address('IPv6', '2001:db8::1').problems, []);
  assert.deepEqual(address('FQDN', 'a.b').warnings, ['spec.addressType: FQDN endpoints are deprecated']);
  assert.deepEqual(fields(address('IPv4', '2001:db8::1')), ['endpoints[0].addresses']);
  for (const [type, text] of Object.entries({ IPv4: '127.0.0.1', IPv6: '2001:DB8::1', FQDN: 'a' })) {
    assert.deepEqual(fields(address(type, text)), ['endpoints[0].addresses[0]'], text);
  }
  assert.deepEqual(fields(make({ addressType: '' })), ['addressType']);
  assert.deepEqual(fields(make({ addressType: 'Nope' })), ['addressType']);
});

test('the type of the addresses stays', () => {
  assert.deepEqual(fields(tryUpdate(definition, slice({}), slice({ addressType: 'IPv6' }))), ['addressType']);
});

test('there are at most 1000 endpoints, 100 addresses of one, 20000 ports and 8 hints of a kind', () => {
  const addresses = ['192.0.2.1'];
  assert.deepEqual(fields(make({ endpoints: many(1001, () => ({ addresses })) })), ['endpoints']);
  assert.deepEqual(fields(address('IPv4')), ['endpoints[0].addresses']);
  assert.deepEqual(fields(address('IPv4', ...many(101, (i) => `192.0.2.${i + 1}`))), [
    'endpoints[0].addresses',
  ]);
  assert.deepEqual(fields(make({ ports: many(20_001, (i) => ({ name: `p${i}` })) })), ['ports']);
  const forZones = many(9, (i) => ({ name: `z${i}` }));
  assert.deepEqual(fields(endpoint({ hints: { forZones } })), ['endpoints[0].hints.forZones']);
});

test('ports speak TCP and have an empty name unless they say otherwise; names differ', () => {
  assert.deepEqual(make({ ports: [{ port: 80 }] }).object.ports, [{ port: 80, name: '', protocol: 'TCP' }]);
  assert.deepEqual(fields(make({ ports: [{}, {}] })), ['ports[1].name']);
  assert.deepEqual(fields(make({ ports: [{ protocol: 'tcp' }] })), ['ports[0].protocol']);
});

test('where an endpoint is goes into nodeName and zone: the old field is read, but not kept', () => {
  const { object } = endpoint({ deprecatedTopology: { a: 'b' }, nodeName: 'n', zone: 'z' });
  assert.deepEqual(object.endpoints, [
    { addresses: ['192.0.2.1'], nodeName: 'n', zone: 'z', conditions: {} },
  ]);
});

test('hints for nodes are kept where the feature is on', () => {
  const hints = { forNodes: [{ name: 'n' }] };
  assert.deepEqual(endpoint({ hints }).object.endpoints![0]!.hints, hints);
  const without = endpointslices({ dialect: orch, features: { enabled: () => false } });
  const made = tryCreate(without, slice({ endpoints: [{ addresses: ['192.0.2.1'], hints }] }));
  assert.deepEqual(made.object.endpoints![0]!.hints, {});
});

test('a generation counts changes of the content and of labels', () => {
  const generation = (metadata: object, more: object = {}) =>
    tryUpdate(definition, slice({}), { metadata, ...slice(more) }).object.metadata.generation;
  assert.equal(generation({ annotations: { a: 'b' } }), 1);
  assert.equal(generation({ labels: { a: 'b' } }), 2);
  assert.equal(generation({}, { ports: [{ port: 80 }] }), 2);
});
