import {
  ask,
  del,
  get,
  type Json,
  type JsonObject,
  post,
  put,
  type Step,
  send,
  subject,
  watch,
} from '../case.ts';
import { groups } from './discovery.ts';
import { endpoints, object, paths, services } from './objects.ts';

const apiservices = paths('/apis/apiregistration.k8s.io/v1/apiservices');
const definitions = paths('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');

const group = '{name}.behind.example.com';
const root = `/apis/${group}/v1`;
const own = 'v1.{name}.behind.example.com';

const list = (said: Json | undefined) => (Array.isArray(said) ? (said as JsonObject[]) : []);
const part = (said: Json | undefined, name: string) => ((said ?? {}) as JsonObject)[name];

/** An APIService of the case's own group; `port` is a number or a name for one. */
function apiService(changes: JsonObject = {}, version = 'v1', of = group): JsonObject {
  const spec = {
    group: of,
    version,
    groupPriorityMinimum: 1000,
    versionPriority: 10,
    insecureSkipTLSVerify: true,
    service: { namespace: '{ns}', name: 'api', port: 443 },
    ...changes,
  };
  return object(`${version}.${of}`, { spec });
}

const reasonOf = (body: JsonObject) => list(part(body.status, 'conditions'))[0]?.reason;
/** Waits until an APIService is said to be so. */
const until = (reason: string, name = own): Step =>
  get(apiservices(name), { until: (body) => reasonOf(body) === reason });

/** A body in which the number of a port is known only when it is sent. */
const numbered = (body: JsonObject) => JSON.stringify(body).replaceAll(/"(\{\w*[pP]ort\})"/g, '$1');

const service = (port: Json = 443, spec: JsonObject = {}) =>
  numbered(object('api', { spec: { ports: [{ port, name: 'https' }], ...spec } }));
const endpointsAt = (ip: string, port: Json, name = 'https') =>
  numbered(object('api', { subsets: [{ addresses: [{ ip }], ports: [{ port, name }] }] }));

const builtIn = Object.entries(groups)
  .flatMap(([name, versions]) => versions.map((version) => `${version}.${name}`))
  .filter((name) => name !== 'v1.apiregistration.k8s.io');

/** Only the groups of this case, which others know nothing of. */
const ownGroups = {
  pick: (body: JsonObject): Json => list(body.groups).filter(({ name }) => isOwn(name)),
};
const isOwn = (name: Json | undefined) =>
  typeof name === 'string' && /-(name|other)\.behind\.example\.com$/.test(name);
const inAggregated = (version: string) => ({
  headers: { accept: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList` },
  pick: (body: JsonObject): Json => list(body.items).filter(({ metadata }) => isOwn(part(metadata, 'name'))),
});
/** Waits until the discovery document lists this many current versions of the group. */
const untilCurrent = (count = 1): Step =>
  get('/apis', {
    ...inAggregated('v2'),
    until: (body) =>
      list(body.items).some(
        ({ metadata, versions }) =>
          isOwn(part(metadata, 'name')) &&
          list(versions).filter(({ freshness }) => freshness === 'Current').length >= count,
      ),
  });

/** Of what a server behind saw, what both tell it. */
const told = {
  pick: (body: JsonObject): Json => ({
    method: body.method ?? null,
    url: body.url ?? null,
    groups: body.groups ?? null,
    body: body.body ?? null,
    headers: Object.entries((body.headers ?? {}) as JsonObject)
      .filter(([name]) => /^(x-|host$|user-agent$|authorization$|impersonate|cookie|content-type)/.test(name))
      .sort()
      .map(([name, value]) => `${name}: ${value}`),
  }),
};

const reached = [
  post(services(), service()),
  post(endpoints(), endpointsAt('{backend}', '{backendport}')),
  post(apiservices(), apiService()),
  until('Passed'),
];
const gone = del(apiservices(own));

const version = (name: string): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object' } },
});
const custom = (...versions: string[]) =>
  object('foos.{name}.behind.example.com', {
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: versions.map(version),
    },
  });

export const aggregation = [
  subject(
    'aggregation',
    [
      ask('the APIService of the core group', get(apiservices('v1.'))),
      ...builtIn.map((name) => ask(`the APIService ${name}`, get(apiservices(name)))),
      ask('APIServices have none', get(apiservices('v1.apiregistration.k8s.io'))),
      ask(
        'what stands in the way is said, one thing after the other',
        post(apiservices(), apiService()),
        until('ServiceNotFound'),
        post(services(), service(444)),
        until('ServicePortError'),
        send('PATCH', services('api'), { spec: { ports: [{ port: 443, name: 'https' }] } } as JsonObject, {
          headers: { 'content-type': 'application/strategic-merge-patch+json' },
        }),
        until('EndpointsNotFound'),
        post(endpoints(), object('api')),
        until('MissingEndpoints'),
        put(endpoints('api'), endpointsAt('192.0.2.1', 443, 'other')),
        until('MissingEndpoints'),
        get(root),
        get(`${root}/things`),
        get(`${root}/namespaces/{ns}/things/a`, { token: 'alice-token' }),
        get(root, { token: 'alice-token' }),
        post(`${root}/things`, { a: 1 }),
        get(`/apis/${group}`),
        get(`/apis/${group}/v2`),
        get(`/apis/${group}/v2/things`),
        get('/apis', ownGroups),
        get('/apis', inAggregated('v2')),
        gone,
        // The reference hears of the deletion a moment later.
        get(root, { until: (_, { status }) => status === 404 }),
        get(`/apis/${group}`, { until: (_, { status }) => status === 404 }),
      ),
      ask(
        'a service of another type is only asked',
        post(services(), object('api', { spec: { type: 'ExternalName', externalName: 'localhost' } })),
        post(apiservices(), apiService()),
        until('FailedDiscoveryCheck'),
        get(root),
        gone,
      ),
      ask(
        'a port that a NodePort service lacks',
        post(services(), service(444, { type: 'NodePort' })),
        post(apiservices(), apiService()),
        until('FailedDiscoveryCheck'),
        gone,
      ),
      ask(
        'one without a service announces what nobody serves',
        post(apiservices(), apiService({ service: null, insecureSkipTLSVerify: null })),
        get(apiservices(own)),
        get('/apis', { ...ownGroups, until: (body) => list(body.groups).some(({ name }) => isOwn(name)) }),
        get('/apis', inAggregated('v2')),
        get(`/apis/${group}`, { until: (_, { status }) => status === 200 }),
        get(root),
        get(`${root}/things`),
        gone,
      ),
      ask(
        'groups by their highest priority, versions by theirs, among equals by name',
        post(apiservices(), apiService({ groupPriorityMinimum: 700, versionPriority: 5 }, 'v1alpha1')),
        post(apiservices(), apiService({ groupPriorityMinimum: 600, versionPriority: 5 }, 'v2')),
        post(apiservices(), apiService({ groupPriorityMinimum: 600, versionPriority: 5 }, 'v10')),
        post(apiservices(), apiService({ groupPriorityMinimum: 600, versionPriority: 9 }, 'v1beta1')),
        post(
          apiservices(),
          apiService({ groupPriorityMinimum: 700, versionPriority: 5 }, 'v1', '{other}.behind.example.com'),
        ),
        until('ServiceNotFound', 'v1.{other}.behind.example.com'),
        get('/apis', {
          ...ownGroups,
          until: (body) => list(body.groups).filter(({ name }) => isOwn(name)).length > 1,
        }),
        get('/apis', {
          ...inAggregated('v2'),
          until: (body) =>
            list(body.items).filter(({ metadata }) => isOwn(part(metadata, 'name'))).length > 1,
        }),
        get('/apis', inAggregated('v2beta1')),
        get(`/apis/${group}`),
        get(`/apis/${group}`, { headers: { accept: 'application/yaml' } }),
        ...['v1alpha1', 'v2', 'v10', 'v1beta1'].map((name) => del(apiservices(`${name}.${group}`))),
        del(apiservices('v1.{other}.behind.example.com')),
      ),
      ask(
        'those of custom kinds come, are kept, and go',
        post(definitions(), custom('v1', 'v2beta1'), { pick: () => null }),
        get(apiservices(own), { as: 'first', until: (_, { status }) => status === 200 }),
        get(apiservices('v2beta1.{name}.behind.example.com'), {
          until: (_, { status }) => status === 200,
          pick: ({ spec = null }) => spec,
        }),
        untilCurrent(2),
        put(apiservices(own), (kept) => ({
          ...kept.first,
          spec: { group, version: 'v1', groupPriorityMinimum: 7, versionPriority: 7 },
        })),
        get(apiservices(own), { until: (body) => part(body.spec, 'versionPriority') === 100 }),
        del(apiservices(own), undefined, { pick: () => null }),
        get(apiservices(own), { until: (_, { status }) => status === 200 }),
        del(definitions('foos.{name}.behind.example.com'), undefined, { pick: () => null }),
        get(apiservices(own), { until: (_, { status }) => status === 404 }),
        get(apiservices('v2beta1.{name}.behind.example.com'), { until: (_, { status }) => status === 404 }),
      ),
      ask(
        'the status is not what a writer says it is',
        post(apiservices(), {
          ...apiService(),
          status: { conditions: [{ type: 'Available', status: 'True' }] },
        }),
        until('ServiceNotFound'),
        get(root),
        gone,
      ),
    ],
    { alone: true },
  ),
  subject(
    'aggregated-server',
    [
      ask(
        'requests are passed on, and answers back',
        ...reached,
        get(root),
        post(`${root}/namespaces/{ns}/things`, object('one'), { pick: ({ kind }) => kind ?? null }),
        get(`${root}/namespaces/{ns}/things`, { pick: ({ kind }) => kind ?? null }),
        get(`${root}/namespaces/{ns}/things/nope`),
        del(`${root}/namespaces/{ns}/things/one`),
        gone,
        get(root, { until: (_, { status }) => status === 404 }),
      ),
      ask(
        'the aggregated server gets the identity of the caller',
        ...reached,
        get(`${root}/echo?a=b%20c&d`, told),
        get(`${root}/x/y/echo`, {
          ...told,
          headers: { 'x-remote-user': 'eve', 'x-forwarded-for': '192.0.2.9' },
        }),
        post(`${root}/echo`, 'hello', told),
        get(`${root}/echo`, {
          ...told,
          headers: {
            'impersonate-user': 'bob',
            'impersonate-uid': '7',
            'impersonate-group': ['system:masters', 'crew'],
            'impersonate-extra-a%2fb': ['x', 'y'],
          },
        }),
        get(`${root}/echo`, { token: 'alice-token' }),
        gone,
      ),
      ask(
        'what does not go well',
        ...reached,
        get(`${root}/redirect`),
        get(`${root}/cut`),
        get(`${root}/hang?timeout=1s`),
        gone,
      ),
      ask(
        'a watch',
        ...reached,
        post(`${root}/namespaces/{ns}/things`, object('one'), { pick: ({ kind }) => kind ?? null }),
        watch(`${root}/namespaces/{ns}/things?watch=1`, { events: 1 }, { pick: ({ type }) => type ?? null }),
        gone,
      ),
      ask(
        'what it serves is announced',
        ...reached,
        untilCurrent(),
        get('/apis', ownGroups),
        get(`/apis/${group}`),
        get('/apis', inAggregated('v2beta1')),
        gone,
      ),
      ask(
        'a certificate for another name, or of another authority',
        post(services(), service()),
        post(endpoints(), endpointsAt('{backend}', '{backendport}')),
        post(apiservices(), apiService({ insecureSkipTLSVerify: null, caBundle: '{backendca}' })),
        until('Passed'),
        get(`${root}/echo`),
        post(apiservices(), apiService({ insecureSkipTLSVerify: null, caBundle: '{authority}' }, 'v2')),
        until('Passed', `v2.${group}`),
        get(`/apis/${group}/v2/echo`),
        post(apiservices(), apiService({ insecureSkipTLSVerify: null, caBundle: 'anVuaw==' }, 'v3')),
        until('Passed', `v3.${group}`),
        get(`/apis/${group}/v3/echo`),
        post(apiservices(), apiService({ insecureSkipTLSVerify: null }, 'v4')),
        until('Passed', `v4.${group}`),
        get(`/apis/${group}/v4/echo`),
        gone,
        ...['v2', 'v3', 'v4'].map((name) => del(apiservices(`${name}.${group}`))),
      ),
      ask(
        'nobody listens there',
        post(services(), service()),
        post(endpoints(), endpointsAt('{backend}', 1)),
        post(apiservices(), apiService()),
        until('FailedDiscoveryCheck'),
        put(endpoints('api'), endpointsAt('{backend}', '{backendport}')),
        until('Passed'),
        gone,
      ),
    ],
    { hooked: true, backed: true, alone: true },
  ),
];
