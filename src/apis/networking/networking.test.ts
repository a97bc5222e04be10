import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { ingresses } from './ingress-definition.ts';
import { ingressclasses } from './ingressclass.ts';
import { ipaddresses } from './ipaddress.ts';
import { networkpolicies } from './networkpolicy-definition.ts';
import { servicecidrs } from './servicecidr.ts';

const context = { dialect: orch, features: everyFeature };
const fields = ({ problems }: { problems: string[] }) => problems.map((problem) => problem.split(': ')[0]);

const addresses = ipaddresses(context);
const parentRef = { group: '', resource: 'services', namespace: 'default', name: 'a' };
const address = (name: string, spec: object = { parentRef }) =>
  tryCreate(addresses, { metadata: { name }, spec });

test('the name of an IPAddress is the canonical IP: IPv4 as four dot-separated decimal numbers without leading zeros', () => {
  for (const name of ['192.0.2.1', '0.0.0.0', '255.255.255.255'])
    assert.deepEqual(address(name).problems, []);
  for (const name of ['192.0.2.01', '192.0.2', '192.0.2.256', '192.0.2.1/32', 'x']) {
    assert.deepEqual(fields(address(name)), ['metadata.name'], name);
  }
});

test('the name of an IPAddress is the canonical IP: IPv6 in the RFC 5952 form', () => {
  for (const name of ['2001:db8::1', '::', '2001:db8:0:1:1:1:1:1'])
    assert.deepEqual(address(name).problems, []);
  for (const name of [
    '2001:DB8::1',
    '2001:db8:0:0:0:0:0:1',
    '2001:db8::1:1:1:1:1',
    '::ffff:192.0.2.1',
    'fe80::1%a',
  ]) {
    assert.deepEqual(fields(address(name)), ['metadata.name'], name);
  }
});

test('an IPAddress must reference a parent object, by its resource and name', () => {
  assert.deepEqual(fields(address('192.0.2.1', {})), ['spec.parentRef']);
  assert.deepEqual(fields(address('192.0.2.1', { parentRef: {} })), [
    'spec.parentRef.resource',
    'spec.parentRef.name',
  ]);
  const odd = { group: 'UPPER', resource: 'a/b', namespace: '..', name: '%' };
  assert.deepEqual(fields(address('192.0.2.1', { parentRef: odd })), [
    'spec.parentRef.group',
    'spec.parentRef.resource',
    'spec.parentRef.name',
    'spec.parentRef.namespace',
  ]);
});

test('the parent of an IPAddress stays', () => {
  const metadata = { name: '192.0.2.1' };
  const object = (name: string) => ({ metadata, spec: { parentRef: { ...parentRef, name } } });
  assert.deepEqual(tryUpdate(addresses, object('a'), object('a')).problems, []);
  assert.match(
    tryUpdate(addresses, object('a'), object('b')).problems[0]!,
    /spec.parentRef: .* field is immutable$/,
  );
});

const ranges = servicecidrs(context);
const range = (...cidrs: string[]) => ({ spec: { cidrs } });

test('a ServiceCIDR has one range, or one of each family, in canonical form', () => {
  for (const cidrs of [
    ['10.0.0.0/8'],
    ['fd00::/64'],
    ['10.0.0.0/8', 'fd00::/64'],
    ['fd00::/64', '10.0.0.0/8'],
  ]) {
    assert.deepEqual(tryCreate(ranges, range(...cidrs)).problems, []);
  }
  assert.deepEqual(fields(tryCreate(ranges, range())), ['spec.cidrs']);
  assert.deepEqual(fields(tryCreate(ranges, range('10.0.0.0/8', '11.0.0.0/8'))), ['spec.cidrs']);
  assert.deepEqual(fields(tryCreate(ranges, range('10.0.0.0/8', 'fd00::/64', '11.0.0.0/8'))), ['spec.cidrs']);
  for (const text of ['10.0.0.1/8', '10.0.0.0', 'FD00::/64', '010.0.0.0/8']) {
    assert.deepEqual(fields(tryCreate(ranges, range(text))), ['spec.cidrs[0]'], text);
  }
});

test('the ranges of a ServiceCIDR stay, but for a second family', () => {
  const update = (oldValue: object, newValue: object) => fields(tryUpdate(ranges, oldValue, newValue));
  assert.deepEqual(update(range('10.0.0.0/8'), range('10.0.0.0/8', 'fd00::/64')), []);
  assert.deepEqual(update(range('10.0.0.0/8'), range('11.0.0.0/8')), ['spec.cidrs[0]']);
  assert.deepEqual(update(range('10.0.0.0/8', 'fd00::/64'), range('10.0.0.0/8')), ['spec.cidrs']);
});

const backend = { service: { name: 'web', port: { number: 80 } } };
const ingress = (spec: object, metadata: object = {}) => tryCreate(ingresses(context), { metadata, spec });
const path = (fieldsOfPath: object) =>
  fields(
    ingress({ rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...fieldsOfPath }] } }] }),
  );

test('an ingress has rules or a default backend', () => {
  assert.deepEqual(fields(ingress({})), ['spec']);
  assert.deepEqual(ingress({ defaultBackend: backend }).problems, []);
  assert.deepEqual(ingress({ rules: [{ host: 'a.b' }] }).problems, []);
});

test('a path is absolute, says how it matches, and does not lead out of itself', () => {
  const itemPath = 'spec.rules[0].http.paths[0]';
  assert.deepEqual(path({}), []);
  assert.deepEqual(path({ pathType: null }), [`${itemPath}.pathType`]);
  assert.deepEqual(path({ pathType: 'Nope' }), [`${itemPath}.pathType`]);
  for (const text of ['', 'x', '/a//b', '/a/./b', '/a/../b', '/a%2fb', '/a/..']) {
    assert.deepEqual(path({ path: text }), [`${itemPath}.path`], text);
  }
  assert.deepEqual(path({ path: '/a//b', pathType: 'ImplementationSpecific' }), []);
  assert.deepEqual(path({ backend: {} }), [`${itemPath}.backend`]);
  assert.deepEqual(path({ backend: { service: { name: 'a' } } }), [`${itemPath}.backend`]);
});

test('a host is a name, or a wildcard for names below one', () => {
  const host = (name: string) => fields(ingress({ rules: [{ host: name }] }));
  for (const name of ['', 'a', 'a.b', '*.a.b']) assert.deepEqual(host(name), [], name);
  for (const name of ['*', 'a.*.b', '192.0.2.1', 'UPPER'])
    assert.deepEqual(host(name), ['spec.rules[0].host'], name);
});

test('the class of an ingress is said in one way, or twice the same', () => {
  const annotations = { [orch.annotations.ingressClass]: 'a' };
  assert.match(ingress({ defaultBackend: backend }, { annotations }).warnings[0]!, /is deprecated/);
  const spec = { defaultBackend: backend, ingressClassName: 'b' };
  assert.deepEqual(fields(ingress(spec, { annotations })), [`annotations.${orch.annotations.ingressClass}`]);
  assert.deepEqual(ingress({ ...spec, ingressClassName: 'a' }, { annotations }).problems, []);
});

test('an ingress class names its controller by domain and path, for good', () => {
  const classes = ingressclasses(context);
  const of = (controller: string) => ({ spec: { controller } });
  assert.deepEqual(tryCreate(classes, of('a.b/c/d')).problems, []);
  for (const controller of ['', 'c', '/c', 'a.b/', 'UPPER/c', 'a.b/c d']) {
    assert.deepEqual(fields(tryCreate(classes, of(controller))), ['spec.controller'], controller);
  }
  assert.deepEqual(fields(tryUpdate(classes, of('a.b/c'), of('a.b/d'))), ['spec.controller']);
  const parameters = (more: object) =>
    tryCreate(classes, { spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n', ...more } } });
  assert.equal(parameters({}).object.spec.parameters?.scope, 'Cluster');
  assert.deepEqual(fields(parameters({ namespace: 'x' })), ['spec.parameters.namespace']);
  assert.deepEqual(fields(parameters({ scope: 'Namespace' })), ['spec.parameters.namespace']);
});

const policies = networkpolicies(context);
const policy = (spec: object) => tryCreate(policies, { spec: { podSelector: {}, ...spec } });

test('a network policy is about what comes in, and about what goes out if it has rules for that', () => {
  assert.deepEqual(policy({}).object.spec.policyTypes, ['Ingress']);
  assert.deepEqual(policy({ egress: [{}] }).object.spec.policyTypes, ['Ingress', 'Egress']);
  assert.deepEqual(policy({ policyTypes: ['Egress'] }).object.spec.policyTypes, ['Egress']);
  assert.deepEqual(fields(policy({ policyTypes: ['Nope'] })), ['spec.policyTypes[0]']);
});

test('the ports of a network policy speak TCP unless they say otherwise, and may be a range', () => {
  const port = (fieldsOfPort: object) => policy({ ingress: [{ ports: [fieldsOfPort] }] });
  const itemPath = 'spec.ingress[0].ports[0]';
  assert.equal(port({}).object.spec.ingress![0]!.ports![0]!.protocol, 'TCP');
  assert.deepEqual(port({ port: 80, endPort: 90 }).problems, []);
  assert.deepEqual(fields(port({ port: 80, endPort: 79 })), [`${itemPath}.endPort`]);
  assert.deepEqual(fields(port({ endPort: 90 })), [`${itemPath}.endPort`]);
  assert.deepEqual(fields(port({ port: 'http', endPort: 90 })), [`${itemPath}.endPort`]);
  assert.deepEqual(fields(port({ port: 0 })), [`${itemPath}.port`]);
});

test('a peer is pods or addresses, and what is excepted lies inside', () => {
  const from = (peer: object) => fields(policy({ ingress: [{ from: [peer] }] }));
  const itemPath = 'spec.ingress[0].from[0]';
  assert.deepEqual(from({}), [itemPath]);
  assert.deepEqual(from({ podSelector: {}, namespaceSelector: {} }), []);
  assert.deepEqual(from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }), [itemPath]);
  assert.deepEqual(from({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }), []);
  for (const except of ['10.0.0.0/8', '11.0.0.0/16', 'fd00::/64', 'x']) {
    assert.deepEqual(from({ ipBlock: { cidr: '10.0.0.0/8', except: [except] } }), [
      `${itemPath}.ipBlock.except[0]`,
    ]);
  }
});

test('a generation counts changes of the spec', () => {
  const oldValue = { spec: { podSelector: {} } };
  const labelled = tryUpdate(policies, oldValue, { metadata: { labels: { a: 'b' } }, ...oldValue });
  assert.equal(labelled.object.metadata.generation, 1);
  const changed = tryUpdate(policies, oldValue, { spec: { podSelector: {}, egress: [{}] } });
  assert.equal(changed.object.metadata.generation, 2);
});
