import { ask, del, get, type JsonObject, post, put, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { namespaces, object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const group = '/apis/resource.k8s.io';
const claims = (version: string) => paths(`${group}/${version}/namespaces/{ns}/resourceclaims`);
const templates = (version: string) => paths(`${group}/${version}/namespaces/{ns}/resourceclaimtemplates`);

const request = (changes: JsonObject = {}): JsonObject => ({ name: 'r', deviceClassName: 'c', ...changes });
const claim = (devices: JsonObject, name = 'c') => object(name, { spec: { devices } });
const asking = (changes: JsonObject) => claim({ requests: [request(changes)] });
const exactly = (changes: JsonObject = {}) =>
  claim({ requests: [{ name: 'r', exactly: { deviceClassName: 'c', ...changes } }] });
const alternative = (changes: JsonObject = {}): JsonObject => ({
  name: 's',
  deviceClassName: 'c',
  ...changes,
});
const firstOf = (alternatives: JsonObject[], others: JsonObject = {}) =>
  claim({ requests: [{ name: 'r', firstAvailable: alternatives }], ...others });
const constrained = (constraint: JsonObject) => claim({ requests: [request()], constraints: [constraint] });
const attribute = (matchAttribute: string) => constrained({ matchAttribute });
const opaque = { opaque: { driver: 'a.example.com', parameters: { a: 1 } } };
const result = { request: 'r', driver: 'd.example.com', pool: 'p', device: 'x' };
const allocation = { devices: { results: [result] } };
const consumer = { resource: 'pods', name: 'a', uid: 'b' };
const device = { driver: 'd.example.com', pool: 'p', device: 'x' };

const selectors = (...expressions: string[]) => ({
  selectors: expressions.map((expression) => ({ cel: { expression } })),
});
const wrongSelectors = selectors('device.driver == "a"', '1', 'device.nope', 'foo(');
const tolerations = (toleration: JsonObject) => asking({ tolerations: [toleration] });

const status = (name: string, ...statuses: JsonObject[]) =>
  ask(
    name,
    post(claims('v1beta1')(), asking({}), { as: 'a' }),
    statuses.map((each) => put(claims('v1beta1')('c/status?dryRun=All'), withChange('a', { status: each }))),
  );

export const resourceClaims = [
  subject('resourceclaims', [
    ...['v1beta1', 'v1alpha3'].flatMap((version) =>
      lifecycle(claims(version), asking({}), {
        name: version,
        full: claim(
          {
            requests: [
              request({ name: 'a', count: 2, tolerations: [{ key: 'k', operator: 'Exists' }] }),
              {
                name: 'b',
                firstAvailable: [alternative(), alternative({ name: 't', allocationMode: 'All' })],
              },
            ],
            constraints: [{ requests: ['a'], matchAttribute: 'a.example.com/b' }],
            config: [{ requests: ['b/s'], ...opaque }],
          },
          'full',
        ),
        change: { metadata: { name: 'c', labels: { a: 'b' } } },
        status: { allocation, reservedFor: [consumer] },
      }),
    ),
    ...lifecycle(claims('v1beta2'), exactly(), {
      name: 'v1beta2',
      change: { metadata: { name: 'c', labels: { a: 'b' } } },
      status: { allocation, devices: [device] },
    }),
    ask(
      'one object in three versions',
      post(claims('v1beta2')(), exactly({ count: 3 })),
      ['v1beta1', 'v1beta2', 'v1alpha3'].map((version) => get(claims(version)('c'))),
      post(claims('v1alpha3')(), claim({ requests: [{ name: 'r', firstAvailable: [alternative()] }] }, 'd')),
      ['v1beta1', 'v1beta2', 'v1alpha3'].map((version) => get(claims(version)())),
      put(claims('v1beta1')('c'), asking({ count: 3 })),
      put(claims('v1beta1')('c'), asking({ count: 4 })),
      put(claims('v1beta2')('c'), exactly({ count: 4 })),
      del(claims('v1beta2')('c')),
    ),
    ...tries(claims('v1beta1'), {
      requests: [
        claim({}),
        asking({ name: '' }),
        asking({ name: 'A_' }),
        claim({ requests: [request(), request()] }),
        asking({ deviceClassName: '' }),
        asking({ deviceClassName: 'A_' }),
        claim({ requests: Array.from({ length: 33 }, (_, i) => request({ name: `r${i}` })) }),
        ...['All', 'ExactCount', 'x', ''].map((allocationMode) => asking({ allocationMode })),
        asking({ allocationMode: 'All', count: 2 }),
        asking({ count: 0 }),
        asking({ count: -1 }),
        asking({ adminAccess: true }),
        asking({ adminAccess: false }),
        asking({ selectors: [{}] }),
        asking(selectors('device.driver == "a"')),
        asking(wrongSelectors),
        asking(selectors(...Array.from({ length: 33 }, () => '1'))),
        claim({ requests: Array.from({ length: 33 }, () => request({ count: -1 })) }),
        claim({
          requests: [],
          constraints: Array.from({ length: 33 }, () => ({})),
          config: Array.from({ length: 33 }, () => ({})),
        }),
      ],
      tolerations: [
        tolerations({}),
        tolerations({ key: 'a', operator: 'x' }),
        tolerations({ key: 'a', operator: 'Exists', value: 'x' }),
        tolerations({ key: 'a b', value: 'c d' }),
        tolerations({ key: 'a', effect: 'x' }),
        tolerations({ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }),
      ],
      alternatives: [
        firstOf([alternative()]),
        firstOf([]),
        firstOf([alternative(), alternative()]),
        firstOf([alternative(wrongSelectors)]),
        firstOf(Array.from({ length: 9 }, () => alternative({ allocationMode: 'x' }))),
        firstOf([alternative({ name: 'A_', deviceClassName: '', allocationMode: 'x', selectors: [{}] })]),
        firstOf(Array.from({ length: 9 }, (_, i) => alternative({ name: `s${i}` }))),
        asking({ firstAvailable: [alternative()] }),
        claim({ requests: [{ name: 'r', firstAvailable: [alternative()], allocationMode: 'All' }] }),
      ],
      'constraints and configurations': [
        constrained({}),
        constrained({ requests: ['zz', 'r', 'r'], matchAttribute: 'x' }),
        ...['a/b', 'A_/b-c', 'a.b/', '', '/x', 'a/1b', `${'a'.repeat(64)}/${'b'.repeat(33)}`].map(attribute),
        firstOf([alternative()], {
          constraints: [{ requests: ['r/s', 'r/x', 'x/s'], matchAttribute: 'a/b' }],
        }),
        claim({ requests: [request()], config: [{}] }),
        claim({ requests: [request()], config: [{ requests: ['zz'], opaque: { driver: 'A_' } }] }),
        claim({ requests: [request()], config: [{ requests: ['r'], ...opaque }] }),
      ],
    }),
    ...tries(claims('v1beta2'), {
      'v1beta2 has one or the other': [
        claim({ requests: [{ name: 'r' }] }),
        claim({ requests: [{ name: 'r', exactly: {} }] }),
        claim({
          requests: [{ name: 'r', exactly: { deviceClassName: 'c' }, firstAvailable: [alternative()] }],
        }),
        exactly({ allocationMode: 'x' }),
        exactly(wrongSelectors),
        exactly({ adminAccess: true }),
      ],
    }),
    status(
      'what an allocation must be',
      { allocation },
      { allocation: {} },
      {
        allocation: {
          devices: { results: [{ ...result, request: 'zz', driver: 'A_', pool: 'A_', device: 'A_' }, {}] },
        },
      },
      {
        allocation: {
          devices: { config: [{ source: 'x' }, {}, { source: 'FromClass', requests: ['r'], ...opaque }] },
        },
      },
      { allocation: { ...allocation, nodeSelector: {} } },
      { allocation: { devices: { results: [{ ...result, adminAccess: true }] } } },
    ),
    status(
      'who it is reserved for',
      { reservedFor: [consumer] },
      { allocation, reservedFor: [consumer] },
      { allocation, reservedFor: [consumer, consumer] },
      { allocation, reservedFor: [{}] },
      { allocation, reservedFor: Array.from({ length: 257 }, (_, i) => ({ ...consumer, uid: `u${i}` })) },
    ),
    status(
      'how devices are doing',
      { allocation, devices: [device] },
      { allocation, devices: [{ ...device, device: 'y' }] },
      { allocation, devices: [device, device] },
      { devices: [device] },
      { allocation, devices: [{}] },
      {
        allocation,
        devices: [
          { ...device, data: { a: 1 }, networkData: { interfaceName: 'eth0', ips: ['10.9.8.7/24'] } },
        ],
      },
      {
        allocation,
        devices: [
          {
            ...device,
            data: 'x',
            networkData: {
              interfaceName: 'x'.repeat(257),
              ips: ['1.2.3.4', 'x', '010.0.0.1/8', '::1/64', '::1/64'],
            },
          },
        ],
      },
      { allocation, devices: [{ ...device, conditions: [{ type: 'A' }, { type: 'A' }] }] },
    ),
    ask(
      'administrative access where the namespace is labelled for it',
      post(namespaces(), object('{other}', {}, { labels: { 'resource.k8s.io/admin-access': 'true' } })),
      ['resourceclaims', 'resourceclaimtemplates'].map((plural) =>
        post(
          `${group}/v1beta1/namespaces/{other}/${plural}?dryRun=All`,
          plural === 'resourceclaims'
            ? asking({ adminAccess: true })
            : object('t', { spec: { spec: { devices: { requests: [request({ adminAccess: true })] } } } }),
        ),
      ),
      post(`${group}/v1beta2/namespaces/{other}/resourceclaims?dryRun=All`, exactly({ adminAccess: true })),
      del(namespaces('{other}')),
    ),
    ask(
      'an allocation stays until it is taken back',
      post(claims('v1beta1')(), asking({}), { as: 'a' }),
      put(
        claims('v1beta1')('c/status'),
        withChange('a', { status: { allocation, reservedFor: [consumer] } }),
        { as: 'b' },
      ),
      put(
        claims('v1beta1')('c/status'),
        withChange('b', { status: { allocation: { devices: { results: [{ ...result, device: 'y' }] } } } }),
      ),
      put(claims('v1beta1')('c/status'), withChange('b', { status: { reservedFor: [consumer] } })),
      put(claims('v1beta1')('c/status'), withChange('b', { status: {} })),
    ),
  ]),
  subject('resourceclaimtemplates', [
    ...lifecycle(
      templates('v1beta1'),
      object('t', { spec: { spec: { devices: { requests: [request()] } } } }),
      {
        full: object('full', {
          spec: {
            metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
            spec: { devices: { requests: [request({ count: 2 })] } },
          },
        }),
        change: { metadata: { name: 't', labels: { a: 'b' } } },
      },
    ),
    ...['v1beta2', 'v1alpha3'].map((version) =>
      ask(
        `${version} is the same object`,
        post(templates('v1beta1')(), object('t', { spec: { spec: { devices: { requests: [request()] } } } })),
        get(templates(version)('t')),
        get(templates(version)()),
        del(templates(version)('t')),
      ),
    ),
    ask(
      'the spec stays',
      post(templates('v1beta1')(), object('t', { spec: { spec: { devices: { requests: [request()] } } } })),
      put(templates('v1beta1')('t'), object('t', { spec: { spec: { devices: { requests: [] } } } })),
    ),
    ...tries(templates('v1beta1'), {
      'what is wrong': [
        object('t', { spec: { spec: { devices: { requests: [request(wrongSelectors)] } } } }),
        object('t'),
        object('t', { spec: { spec: { devices: { requests: [request({ name: 'A_', count: -1 })] } } } }),
        object('t', {
          spec: {
            metadata: { name: 'n', labels: { 'a b': 'c' } },
            spec: { devices: { requests: [request()] } },
          },
        }),
        object('t', { spec: { spec: { devices: { requests: [request({ adminAccess: true })] } } } }),
      ],
    }),
  ]),
];
