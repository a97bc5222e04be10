import { ask, del, get, type JsonObject, post, put, type Step, send, subject, watch } from '../case.ts';
import { configMap, object, paths } from './objects.ts';

export const rbacGroup = 'rbac.authorization.k8s.io';
export const roles = paths(`/apis/${rbacGroup}/v1/namespaces/{ns}/roles`);
export const clusterroles = paths(`/apis/${rbacGroup}/v1/clusterroles`);
export const rolebindings = paths(`/apis/${rbacGroup}/v1/namespaces/{ns}/rolebindings`);
export const clusterrolebindings = paths(`/apis/${rbacGroup}/v1/clusterrolebindings`);

/** Somebody whom only this case knows. */
export const bob = { headers: { 'impersonate-user': 'bob-{name}' } };
const inGroup = { headers: { 'impersonate-user': 'eve', 'impersonate-group': ['staff-{name}', 'x'] } };
const account = { headers: { 'impersonate-user': 'system:serviceaccount:{ns}:robot' } };
type Identity = typeof bob | typeof inGroup | typeof account;

export const toBob = { kind: 'User', name: 'bob-{name}' };
const toStaff = { kind: 'Group', name: 'staff-{name}' };
const toRobot = { kind: 'ServiceAccount', name: 'robot', namespace: '{ns}' };

export const binding = (name: string, kind: string, role: string, ...subjects: JsonObject[]): JsonObject =>
  object(name, { roleRef: { apiGroup: rbacGroup, kind, name: role }, subjects });

/** Gives rules to somebody in the case's namespace, and to all of the cluster. */
export const giveHere = (rules: JsonObject[], ...subjects: JsonObject[]): Step[] => [
  post(roles(), object('r', { rules })),
  post(rolebindings(), binding('b', 'Role', 'r', ...subjects)),
];
export const giveEverywhere = (rules: JsonObject[], ...subjects: JsonObject[]): Step[] => [
  post(clusterroles(), object('{name}', { rules })),
  post(clusterrolebindings(), binding('{name}', 'ClusterRole', '{name}', ...subjects)),
];

/** The reference learns of roles a little later than it stores them. */
export const settled = (steps: Step[]): Step[] =>
  steps.map((step, index) => (index === 0 ? { ...step, after: 1 } : step));

const pods = paths('/api/v1/namespaces/{ns}/pods');
const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');

/** One request of each sort, of which a rule allows some. What is allowed is not there. */
const probes = (by: Identity): Step[] =>
  settled([
    get(pods('a'), by),
    get(pods('?limit=1'), by),
    get(pods('?fieldSelector=metadata.name%3Da'), by),
    get(pods('a/log'), by),
    get(pods('b'), by),
    // Pods of other cases are no matter of this one.
    get('/api/v1/pods?labelSelector=of%3Dnobody', by),
    get('/api/v1/namespaces/default/pods/a', by),
    get(deployments('a'), by),
    get(deployments('a/scale'), by),
    get('/api/v1/namespaces/{ns}/replicationcontrollers/a/scale', by),
    put(pods('a/status'), object('a', { spec: { containers: [{ name: 'c', image: 'i' }] } }), by),
    send(
      'PATCH',
      pods('a'),
      {},
      { headers: { ...by.headers, 'content-type': 'application/merge-patch+json' } },
    ),
    del(pods('a'), undefined, by),
    del(pods('?labelSelector=x%3Dy'), undefined, by),
  ]);

const shapes: Record<string, JsonObject> = {
  'one verb': { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
  'all verbs': { verbs: ['*'], apiGroups: [''], resources: ['pods'] },
  'all groups': { verbs: ['get', 'list'], apiGroups: ['*'], resources: ['pods', 'deployments'] },
  'all resources': { verbs: ['get'], apiGroups: ['apps'], resources: ['*'] },
  'a subresource': { verbs: ['get', 'update'], apiGroups: [''], resources: ['pods/log', 'pods/status'] },
  'a subresource of all': { verbs: ['get'], apiGroups: ['*'], resources: ['*/scale'] },
  'all subresources of one, which means nothing': { verbs: ['*'], apiGroups: ['*'], resources: ['pods/*'] },
  'one name': { verbs: ['*'], apiGroups: [''], resources: ['pods', 'pods/log'], resourceNames: ['a'] },
  'some names': {
    verbs: ['get', 'list', 'delete'],
    apiGroups: [''],
    resources: ['*'],
    resourceNames: ['b', 'a'],
  },
  'all there is': { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  'verbs that are none': { verbs: ['GET', 'read', ''], apiGroups: [''], resources: ['pods'] },
};

const urls = ['/probe-a', '/probe-a/', '/probe-a/b', '/probe-a/b/c', '/probe-ab', '/logs', '/'];
const statusOnly = { pick: () => null };
const paths403 = (by: Identity): Step[] =>
  settled([
    ...urls.map((url) => get(url, { ...by, ...(url.startsWith('/probe') ? {} : statusOnly) })),
    post('/probe-a', {}, by),
    send('OPTIONS', '/probe-a', undefined, by),
  ]);

const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const may = (attributes: JsonObject, by: Identity = bob) =>
  post(reviews, { spec: { resourceAttributes: { verb: 'get', resource: 'pods', ...attributes } } }, by);

export const authorization = subject('authorization', [
  ...Object.entries(shapes).map(([name, rule]) =>
    ask(`in a namespace: ${name}`, giveHere([rule], toBob), probes(bob)),
  ),
  ...Object.entries(shapes).map(([name, rule]) =>
    ask(`everywhere: ${name}`, giveEverywhere([rule], toBob), probes(bob)),
  ),
  ask(
    'a role of the whole cluster given in a namespace',
    post(
      clusterroles(),
      object('{name}', { rules: [shapes['all verbs']!, { verbs: ['get'], nonResourceURLs: ['/x'] }] }),
    ),
    post(rolebindings(), binding('b', 'ClusterRole', '{name}', toBob)),
    probes(bob),
    get('/x', bob),
  ),
  ask('to a group', giveHere([shapes['all verbs']!], toStaff), probes(inGroup).slice(0, 7)),
  ask('to a group, everywhere', giveEverywhere([shapes['all verbs']!], toStaff), probes(inGroup).slice(0, 7)),
  ask('to a service account', giveHere([shapes['all verbs']!], toRobot), probes(account).slice(0, 7)),
  ask(
    'to the service accounts of a namespace',
    giveEverywhere([shapes['all verbs']!], { kind: 'Group', name: 'system:serviceaccounts:{ns}' }),
    probes(account).slice(0, 7),
  ),
  ask(
    'to a service account of the binding’s own namespace',
    giveHere([shapes['all verbs']!], { kind: 'ServiceAccount', name: 'robot' }),
    probes(account).slice(0, 7),
  ),
  ...Object.entries({
    'one path': ['/probe-a'],
    'a path and all below': ['/probe-a', '/probe-a/*'],
    'all below a path': ['/probe-a/*'],
    'whatever begins like it': ['/probe-a*'],
    'every path': ['*'],
    'every path, with its slash': ['/*'],
    'a star that is not last': ['/*/b'],
  }).map(([name, nonResourceURLs]) =>
    ask(
      `paths that are no resource: ${name}`,
      giveEverywhere([{ verbs: ['get'], nonResourceURLs }], toBob),
      paths403(bob),
    ),
  ),
  ask(
    'what one is allowed says by which binding',
    giveHere([{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }], toBob, toRobot, toStaff),
    post(rolebindings(), binding('lost', 'Role', 'nowhere', toBob)),
    settled([
      may({ namespace: '{ns}' }),
      may({ namespace: '{ns}' }, account),
      may({ namespace: '{ns}' }, inGroup),
      may({ namespace: '{ns}', verb: 'list' }),
      may({ namespace: '{ns}', verb: 'list' }, account),
      may({}),
    ]),
    get(pods(), bob),
    get(pods(), account),
    get(configMapPath('a'), bob),
  ),
  ask(
    'and everywhere',
    giveEverywhere([{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }], toRobot, toStaff, toBob),
    settled([may({}), may({}, account), may({ namespace: '{ns}' }, inGroup), may({ verb: 'list' })]),
    post(reviews, { spec: { nonResourceAttributes: { verb: 'get', path: '/api' } } }, account),
    post(reviews, { spec: { nonResourceAttributes: { verb: 'get', path: '/nope' } } }, bob),
  ),
  ask(
    'a role that is not there is named',
    post(clusterrolebindings(), binding('{name}', 'ClusterRole', '{name}', toBob)),
    settled([get(pods(), bob), get('/nope', bob), may({}), get('/healthz', bob)]),
    post(
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      { spec: { namespace: '{ns}' } },
      { ...bob, pick: problemsOf },
    ),
  ),
  ask(
    'a right that is taken away is gone',
    giveHere([shapes['all verbs']!], toBob),
    settled([get(pods('a'), bob)]),
    del(rolebindings('b')),
    settled([get(pods('a'), bob)]),
    post(rolebindings(), binding('b', 'Role', 'r', toBob)),
    settled([get(pods('a'), bob)]),
    put(roles('r'), object('r', { rules: [] })),
    settled([get(pods('a'), bob)]),
  ),
  ask(
    'who changes what is not there needs leave to create it',
    giveHere(
      [{ verbs: ['update', 'patch'], apiGroups: ['coordination.k8s.io'], resources: ['leases'] }],
      toBob,
    ),
    settled([put(lease(), object('l', { spec: {} }), bob)]),
    put(lease(), object('l', { spec: { leaseDurationSeconds: -1 } }), bob),
    put(lease('?dryRun=All'), object('l', { spec: {} }), bob),
    put(lease(), object('other', { spec: {} }), bob),
    send(
      'PATCH',
      lease('?fieldManager=x'),
      { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec: {} },
      { headers: { ...bob.headers, 'content-type': 'application/apply-patch+yaml' } },
    ),
    post('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', object('l', { spec: {} })),
    put(lease(), object('l', { spec: { holderIdentity: 'x' } }), bob),
  ),
  ask(
    'the namespace itself, and what is in it',
    giveHere([{ verbs: ['*'], apiGroups: [''], resources: ['namespaces', 'configmaps'] }], toBob),
    settled([get('/api/v1/namespaces/{ns}', { ...bob, pick: ({ kind = null }) => kind })]),
    get('/api/v1/namespaces', bob),
    get('/api/v1/namespaces/default', bob),
    put('/api/v1/namespaces/{ns}/finalize', object('{ns}'), bob),
    post(configMapPath(), configMap('a'), bob),
    get(configMapPath('a'), bob),
    watch(configMapPath('?watch=true&timeoutSeconds=1&resourceVersion=0'), { events: 1 }, bob),
    get('/api/v1/watch/namespaces/{ns}/secrets', bob),
    del(configMapPath('a'), undefined, bob),
  ),
]);

function configMapPath(rest = ''): string {
  return paths('/api/v1/namespaces/{ns}/configmaps')(rest);
}

function lease(query = ''): string {
  return `/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l${query}`;
}

function problemsOf({ status }: JsonObject) {
  const { evaluationError = null, incomplete = null } = (status ?? {}) as JsonObject;
  return { evaluationError, incomplete };
}
