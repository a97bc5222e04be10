/** A request whose audit events are compared. Its id is in `Audit-ID`; its user determines the level. */
export interface AuditedRequest {
  readonly id: string;
  /** `full`, `bare`, `asks`, `admin`, `quiet` and `alice` have tokens; '' sends none. */
  readonly who: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client disconnects as soon as the response begins. */
  readonly cut?: true;
}

/** Levels by user: RequestResponse, RequestResponse without managedFields and RequestReceived, Request, Metadata, None. */
export const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- {level: None, users: [quiet, "system:apiserver"]}
- {level: RequestResponse, users: [full]}
- {level: RequestResponse, users: [bare], omitManagedFields: true, omitStages: [RequestReceived]}
- {level: Request, users: [asks]}
- {level: Metadata}
`;

export const tokens = ['admin', 'full', 'bare', 'asks', 'quiet']
  .map((name) => `${name}-token,${name},${name}-uid,system:masters\n`)
  .concat('alice-token,alice,alice-uid,dev\n')
  .join('');

const maps = '/api/v1/namespaces/default/configmaps';
const json = { 'content-type': 'application/json' };
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
const partial = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };

type Extra = Pick<AuditedRequest, 'headers' | 'cut'>;

function request(
  id: string,
  who: string,
  method: string,
  path: string,
  sent?: object | string,
  extra: Extra = {},
) {
  const body = typeof sent === 'object' ? JSON.stringify(sent) : sent;
  return {
    id,
    who,
    method,
    path,
    ...(body !== undefined && { body }),
    ...extra,
    headers: { ...(body !== undefined && json), ...extra.headers },
  };
}

const get = (id: string, who: string, path: string, headers: Record<string, string> = {}) =>
  request(id, who, 'GET', path, undefined, { headers });
const post = (id: string, who: string, path: string, body: object | string) =>
  request(id, who, 'POST', path, body);
const patch = (id: string, who: string, path: string, type: string, body: string) =>
  request(id, who, 'PATCH', path, body, { headers: { 'content-type': `application/${type}` } });

const map = (name: string, data: object = { a: '1' }) => ({ metadata: { name }, data });

export const requests: readonly AuditedRequest[] = [
  post('create full', 'full', maps, map('one', { a: '1<>&"é\u2028' })),
  post('create bare', 'bare', maps, map('two')),
  post('create asks', 'asks', maps, { metadata: { generateName: 'made-' }, data: { a: '1' } }),
  post('create metadata', 'admin', maps, map('three')),
  post('create nothing', 'quiet', maps, map('four')),
  post('create dry', 'full', `${maps}?dryRun=All`, map('dry')),
  post('create again', 'full', maps, map('one')),
  post('create refused', 'alice', maps, map('five')),
  post('create bad body', 'full', maps, '{"metadata":'),
  post('create invalid', 'full', maps, map('A_')),
  post('create strict', 'full', `${maps}?fieldValidation=Strict`, { ...map('x'), foo: 1 }),
  post('create bad option', 'full', `${maps}?dryRun=x`, map('x')),
  post('create with place', 'full', '/api/v1/nodes', {
    metadata: { name: 'x', namespace: 'foo', uid: 'uuu', resourceVersion: '9' },
  }),
  request('create html', 'full', 'POST', maps, 'x', { headers: { 'content-type': 'text/html' } }),
  get('get full', 'full', `${maps}/one`),
  get('get bare', 'bare', `${maps}/one`),
  get('get asks', 'asks', `${maps}/one`),
  get('get metadata', 'admin', `${maps}/one`),
  get('get nothing', 'quiet', `${maps}/one`),
  get('get table', 'full', `${maps}/one`, table),
  get('get only metadata', 'full', `${maps}/one`, partial),
  get('get protobuf', 'full', `${maps}/one`, { accept: 'application/vnd.kubernetes.protobuf' }),
  get('get yaml', 'full', `${maps}/one`, { accept: 'application/yaml' }),
  get('get missing', 'full', `${maps}/none`),
  get('get missing, metadata', 'admin', `${maps}/none`),
  get('get missing, cbor', 'full', `${maps}/none`, { accept: 'application/cbor' }),
  get('get not acceptable', 'full', maps, { accept: 'text/html' }),
  get('list page', 'full', `${maps}?limit=1`),
  get('list bare', 'bare', maps),
  get('list protobuf', 'full', maps, { accept: 'application/vnd.kubernetes.protobuf' }),
  get('list table', 'bare', maps, table),
  get('list one', 'full', `${maps}?fieldSelector=metadata.name%3Done`),
  get('list nothing known', 'full', '/apis/nope/v1/x'),
  get('list no resource', 'full', '/api/v1/nope'),
  get('watch full', 'full', `${maps}?watch=1&timeoutSeconds=1`),
  get('watch metadata', 'admin', `${maps}?watch=true&timeoutSeconds=1&resourceVersion=0`),
  request('watch cut', 'admin', 'GET', `${maps}?watch=1`, undefined, { cut: true }),
  get('watch bad', 'full', `${maps}?watch=1&resourceVersion=x`),
  get('watch refused', 'alice', `${maps}?watch=1`),
  get('watch deprecated', 'full', '/api/v1/namespaces/none/endpoints?watch=1&timeoutSeconds=1'),
  patch(
    'patch json',
    'full',
    `${maps}/one`,
    'json-patch+json',
    '[{"op":"replace", "path":"/data/a","value":"2"}]',
  ),
  patch('patch merge', 'bare', `${maps}/one`, 'merge-patch+json', '{"data":  {"b":"<"}}'),
  patch(
    'patch apply',
    'full',
    `${maps}/one?fieldManager=x`,
    'apply-patch+yaml',
    '{"apiVersion":"v1","kind":"ConfigMap","data":{"c":"1"}}',
  ),
  patch('patch missing', 'full', `${maps}/x`, 'merge-patch+json', '{"a":1.0, "b": 12345678901234567890}'),
  patch('patch asks', 'asks', `${maps}/one`, 'strategic-merge-patch+json', '{"data":{"d":"4"}}'),
  patch('patch metadata', 'admin', `${maps}/one`, 'merge-patch+json', '{"data":{"d":null}}'),
  request('update full', 'full', 'PUT', `${maps}/one`, { ...map('one'), data: { z: '1' } }),
  request('update conflict', 'full', 'PUT', `${maps}/one`, {
    metadata: { name: 'one', resourceVersion: '1' },
    data: { z: '1' },
  }),
  request('update metadata', 'admin', 'PUT', `${maps}/one`, {
    metadata: { name: 'one', namespace: 'default', uid: 'uuu' },
  }),
  request('delete metadata', 'admin', 'DELETE', `${maps}/three`),
  request('delete full', 'full', 'DELETE', `${maps}/one`),
  request('delete by options', 'full', 'DELETE', `${maps}/two`, { propagationPolicy: 'Background' }),
  request('delete by query', 'full', 'DELETE', `${maps}/four?propagationPolicy=Background`),
  request('delete missing', 'full', 'DELETE', `${maps}/x`, {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u' },
  }),
  request('delete many', 'full', 'DELETE', `${maps}?labelSelector=x%3Dy`, {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
  }),
  request('delete refused', 'alice', 'DELETE', `${maps}/one`),
  get('nobody', '', maps),
  get('nobody, a path', '', '/apis'),
  get('nobody, what all may see', '', '/version'),
  post('about oneself', 'alice', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: {} }),
  get('what all who are known may see', 'alice', '/apis/policy/v1'),
  get('wrong token', 'wrong', maps),
  get('wrong token, a path', 'wrong', '/healthz?x=y'),
  get('proxied', 'admin', `${maps}/none`, {
    'x-forwarded-for': '1.2.3.4, x, 2001:DB8::0001',
    'x-real-ip': '5.6.7.8',
  }),
  get('as another', 'admin', `${maps}/none`, { 'impersonate-user': 'bob', 'impersonate-group': 'g1' }),
  get('as another with more', 'admin', `${maps}/none`, {
    'impersonate-user': 'bob',
    'impersonate-uid': 'u1',
    'impersonate-extra-foo': 'b',
    'impersonate-extra-bar': 'c',
  }),
  get('as an account', 'full', `${maps}/none`, { 'impersonate-user': 'system:serviceaccount:default:x' }),
  get('as another, refused', 'alice', `${maps}/none`, { 'impersonate-user': 'bob' }),
  get('path', 'full', '/healthz'),
  get('path with query', 'full', '/healthz?a=%C3%A9&b=%3Cx%3E'),
  get('path unknown', 'full', '/nowhere'),
  get('path without agent', 'full', '/healthz', { 'user-agent': '' }),
  get('path with long agent', 'full', '/healthz', { 'user-agent': 'u'.repeat(1100) }),
  get(`path with long id ${'x'.repeat(200)}`, 'full', '/healthz'),
  get('group', 'full', '/apis/apps'),
  get('group version', 'full', '/apis/policy/v1'),
  request('head', 'full', 'HEAD', maps),
  request('options', 'full', 'OPTIONS', maps),
  post('wrong method', 'full', `${maps}/x`, '{}'),
  post('secret', 'full', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 's' },
    stringData: { a: 'hidden' },
  }),
  post('token request', 'full', '/api/v1/namespaces/default/serviceaccounts/none/token', { spec: {} }),
  post('token review', 'full', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'abc' } }),
  post('access review', 'full', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    spec: { user: 'x', nonResourceAttributes: { path: '/', verb: 'get' } },
  }),
  post('binding', 'full', '/api/v1/namespaces/default/pods/p/binding', {
    target: { kind: 'Node', name: 'n' },
  }),
  post('eviction', 'full', '/api/v1/namespaces/default/pods/p/eviction', { metadata: { name: 'p' } }),
  get('log', 'full', '/api/v1/namespaces/default/pods/x/log'),
  post('namespace', 'full', '/api/v1/namespaces', { metadata: { name: 'audited' } }),
  get('namespace, get', 'full', '/api/v1/namespaces/audited'),
  request('namespace, finalize', 'full', 'PUT', '/api/v1/namespaces/audited/finalize', {
    metadata: { name: 'audited' },
    spec: { finalizers: [] },
  }),
  post('deployment', 'full', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  }),
  request('scale', 'full', 'PUT', '/apis/apps/v1/namespaces/default/deployments/d/scale', {
    metadata: { name: 'd', namespace: 'default' },
    spec: { replicas: 2 },
  }),
  get('scale, get', 'full', '/apis/apps/v1/namespaces/default/deployments/d/scale'),
  get('deprecated', 'full', '/api/v1/namespaces/none/endpoints'),
  get(
    'deprecated, removed later',
    'full',
    '/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies',
  ),
  get('deprecated, refused', 'alice', '/api/v1/componentstatuses'),
];

/** Upstream records tokens in URLs. */
export const tokenInUrl = get('token in url', 'full', '/healthz?token=abc');

/** Requests that upstream does not record, at levels that include the body. */
export const lostUpstream: readonly AuditedRequest[] = [
  patch(
    'apply in yaml',
    'full',
    `${maps}/y?fieldManager=x`,
    'apply-patch+yaml',
    'apiVersion: v1\nkind: ConfigMap\n',
  ),
  patch('patch broken', 'full', `${maps}/y`, 'merge-patch+json', '{"a":'),
];
