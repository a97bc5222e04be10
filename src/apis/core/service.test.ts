import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { services } from './service-definition.ts';

const definition = services({ dialect: orch, features: everyFeature });
/** A service with an allocated clusterIP. */
const inside = {
  clusterIP: '10.0.0.9',
  clusterIPs: ['10.0.0.9'],
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
};
const balanced = { ...inside, type: 'LoadBalancer' };
const make = (spec: object, metadata: object = {}) =>
  tryCreate(definition, { metadata, spec: { ports: [{ port: 80 }], ...spec } });
const change = (oldValue: object, newValue: object) =>
  tryUpdate(
    definition,
    { spec: { ports: [{ port: 80 }], ...oldValue } },
    { spec: { ports: [{ port: 80 }], ...oldValue, ...newValue } },
  );
const writeStatus = (spec: object, status: object) =>
  tryUpdate(definition, { spec: { ports: [{ port: 80 }], ...spec } }, { status }, 'status');

/** Field paths of the errors, without details. */
const fields = ({ problems }: { problems: string[] }) => problems.map((problem) => problem.split(':')[0]);

test('what is left out is filled in, as the type needs it', () => {
  const { spec } = make(inside).object;
  assert.partialDeepStrictEqual(spec, {
    type: 'ClusterIP',
    sessionAffinity: 'None',
    internalTrafficPolicy: 'Cluster',
    ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
  });
  assert.equal(spec.externalTrafficPolicy, undefined);
  assert.partialDeepStrictEqual(make(balanced).object.spec, {
    externalTrafficPolicy: 'Cluster',
    allocateLoadBalancerNodePorts: true,
  });
  assert.equal(make({ ...inside, externalIPs: ['192.0.2.1'] }).object.spec.externalTrafficPolicy, 'Cluster');
  assert.deepEqual(make({ ...inside, sessionAffinity: 'ClientIP' }).object.spec.sessionAffinityConfig, {
    clientIP: { timeoutSeconds: 10_800 },
  });
  const unused = { sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } };
  assert.equal(make({ ...inside, ...unused }).object.spec.sessionAffinityConfig, undefined);
});

test('a name begins with a letter', () => {
  assert.deepEqual(fields(make(inside, { name: '9a' })), ['metadata.name']);
  assert.deepEqual(make(inside, { name: 'a9' }).problems, []);
});

test('ports have numbers from 1 to 65535, and names that differ where there are several', () => {
  const newError = (...ports: object[]) => fields(make({ ...inside, ports }));
  assert.deepEqual(newError(), ['spec.ports']);
  assert.deepEqual(newError({ port: 65_535 }), []);
  assert.deepEqual(newError({ port: 65_536, targetPort: 1 }), ['spec.ports[0].port']);
  assert.deepEqual(newError({ port: 1 }, { port: 2 }), ['spec.ports[0].name', 'spec.ports[1].name']);
  assert.deepEqual(newError({ port: 1, name: 'a' }, { port: 2, name: 'a' }), ['spec.ports[1].name']);
  assert.deepEqual(newError({ port: 1, name: 'a' }, { port: 1, name: 'b' }), ['spec.ports[1]']);
  assert.deepEqual(newError({ port: 1, name: 'a' }, { port: 1, name: 'b', protocol: 'UDP' }), []);
  assert.deepEqual(newError({ port: 1, targetPort: 'UPPER' }), [
    'spec.ports[0].targetPort',
    'spec.ports[0].targetPort',
  ]);
  assert.deepEqual(newError({ port: 1, nodePort: 30_000 }), ['spec.ports[0].nodePort']);
});

test('what belongs to another type is refused', () => {
  const newError = (spec: object) => fields(make({ ...inside, ...spec }));
  assert.deepEqual(newError({ type: 'Nope' }), ['spec.type']);
  assert.deepEqual(newError({ allocateLoadBalancerNodePorts: true }), ['spec.allocateLoadBalancerNodePorts']);
  assert.deepEqual(newError({ loadBalancerClass: 'a' }), ['spec.loadBalancerClass']);
  assert.deepEqual(newError({ loadBalancerSourceRanges: ['10.0.0.0/8'] }), ['spec.LoadBalancerSourceRanges']);
  assert.deepEqual(newError({ externalTrafficPolicy: 'Local' }), ['spec.externalTrafficPolicy']);
  assert.deepEqual(newError({ healthCheckNodePort: 30_000 }), ['spec.healthCheckNodePort']);
  assert.deepEqual(newError({ type: 'ExternalName', externalName: 'a.b' }), [
    'spec.clusterIPs',
    'spec.ipFamilies',
    'spec.ipFamilyPolicy',
  ]);
  assert.deepEqual(fields(make({ type: 'ExternalName' })), ['spec.externalName']);
  assert.deepEqual(fields(make({ type: 'NodePort', clusterIP: 'None', clusterIPs: ['None'] })), [
    'spec.clusterIPs[0]',
  ]);
});

test('an address from outside is one that others can reach', () => {
  for (const ip of ['127.0.0.1', '0.0.0.0', '169.254.0.1', 'x']) {
    assert.deepEqual(fields(make({ ...inside, externalIPs: [ip] })), ['spec.externalIPs[0]']);
  }
  assert.deepEqual(make({ ...inside, externalIPs: ['192.0.2.1', '2001:db8::1'] }).problems, []);
});

test('a client is remembered for a day at most', () => {
  const remembered = (timeoutSeconds: number) =>
    fields(
      make({
        ...inside,
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds } },
      }),
    );
  assert.deepEqual(remembered(86_400), []);
  for (const seconds of [0, -1, 86_401]) {
    assert.deepEqual(remembered(seconds), ['spec.sessionAffinityConfig.clientIP.timeoutSeconds']);
  }
});

test('the address stays, and a second family may come and go', () => {
  const other = { clusterIP: '10.0.0.8', clusterIPs: ['10.0.0.8'] };
  assert.deepEqual(fields(change(inside, other)), ['spec.clusterIPs[0]']);
  const both = {
    clusterIPs: ['10.0.0.9', 'fd00::1'],
    ipFamilies: ['IPv4', 'IPv6'],
    ipFamilyPolicy: 'PreferDualStack',
  };
  assert.deepEqual(change(inside, both).problems, []);
  assert.deepEqual(change({ ...inside, ...both }, inside).problems, []);
  const unsaid = { ...inside, ipFamilyPolicy: 'PreferDualStack' };
  assert.deepEqual(fields(change({ ...inside, ...both }, unsaid)), [
    'spec.ipFamilyPolicy',
    'spec.ipFamilyPolicy',
  ]);
});

test('another type takes away what only the type before could have', () => {
  const had = {
    ...balanced,
    ports: [{ port: 80, nodePort: 30_000 }],
    loadBalancerClass: 'a',
    healthCheckNodePort: 30_001,
    externalTrafficPolicy: 'Local',
  };
  const { object, problems } = change(had, { type: 'ClusterIP' });
  assert.deepEqual(problems, []);
  const { ports, loadBalancerClass, externalTrafficPolicy, healthCheckNodePort } = object.spec;
  assert.equal(ports![0]!.nodePort, undefined);
  assert.deepEqual(
    [loadBalancerClass, externalTrafficPolicy, healthCheckNodePort],
    [undefined, undefined, undefined],
  );
  const alias = change(had, { type: 'ExternalName', externalName: 'a.b' });
  assert.deepEqual(alias.problems, []);
  assert.equal(alias.object.spec.clusterIP, undefined);
});

test('the class of a load balancer and its port for health checks stay', () => {
  const local = {
    ...balanced,
    loadBalancerClass: 'a',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30_001,
  };
  assert.match(change(local, { loadBalancerClass: 'b' }).problems[0]!, /may not change once set/);
  assert.match(change(local, { healthCheckNodePort: 30_002 }).problems[0]!, /field is immutable/);
});

test('a status names ways into a load balancer, of services that have one', () => {
  const ways = (...ingress: object[]) => ({ loadBalancer: { ingress } });
  assert.deepEqual(writeStatus(balanced, ways({ ip: '192.0.2.1' })).object.status.loadBalancer.ingress, [
    { ip: '192.0.2.1' },
  ]);
  assert.deepEqual(fields(writeStatus(inside, ways({ ip: '192.0.2.1' }))), ['status.loadBalancer.ingress']);
  assert.deepEqual(fields(writeStatus(balanced, ways({ hostname: '192.0.2.1' }))), [
    'status.loadBalancer.ingress[0].hostname',
  ]);
  assert.deepEqual(fields(writeStatus(balanced, ways({ hostname: 'a.b', ipMode: 'VIP' }))), [
    'status.loadBalancer.ingress[0].ipMode',
  ]);
  const { object } = tryUpdate(
    definition,
    { spec: { ports: [{ port: 80 }], ...balanced } },
    { spec: { ports: [{ port: 80 }], ...inside, type: 'ClusterIP' }, status: ways({ ip: '192.0.2.1' }) },
  );
  assert.deepEqual(object.status, { loadBalancer: {} });
});

test('what has no effect, or an odd form, gets a warning', () => {
  assert.deepEqual(make({ ...inside, externalName: 'a.b' }).warnings, [
    'spec.externalName is ignored when spec.type is not "ExternalName"',
  ]);
  assert.match(
    make({ ...balanced, loadBalancerIP: '2001:DB8::1' }).warnings[0]!,
    /RFC 5952 canonical format/,
  );
  const { topologyAwareHints } = orch.annotations;
  assert.match(make(inside, { annotations: { [topologyAwareHints]: 'Auto' } }).warnings[0]!, /is deprecated/);
});
