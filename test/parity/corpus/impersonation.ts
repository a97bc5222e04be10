import { ask, get, post, put, type Step, send, subject, watch } from '../case.ts';
import { configMap, configmaps } from './objects.ts';

type Headers = Record<string, string | string[]>;

const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const alice = 'alice-token';

/** Asks the server who it takes the sender for. */
const whoAmI = (headers: Headers, token?: string | null): Step =>
  post(reviews, {}, { headers, ...(token !== undefined && { token }) });

const as = (user: string, headers: Headers = {}): Headers => ({ 'impersonate-user': user, ...headers });

/** What Node sends as these bytes. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1');

/** The same by somebody who may be taken for some. */
const limited = (headers: Headers): Step =>
  post(reviews, {}, { headers, certificate: { names: ['{name}'] } });

export const impersonation = subject('impersonation', [
  ask(
    'somebody else is known, unless they are nobody',
    whoAmI(as('bob')),
    whoAmI(as('Bob Builder')),
    whoAmI(as('bob@example.com')),
    whoAmI(as('system:node:a')),
    whoAmI(as(utf8('système'))),
    whoAmI(as('syst\u00e8me')),
    whoAmI(as('system:admin')),
    whoAmI(as('system:anonymous')),
    whoAmI(as('system:anonymous', { 'impersonate-group': 'system:authenticated' })),
    whoAmI(as('system:anonymous', { 'impersonate-group': ['a', 'system:unauthenticated'] })),
    whoAmI(as('system:anonymous', { 'impersonate-group': 'system:masters' })),
  ),
  ask(
    'groups are those that are named, and the known are in one more',
    whoAmI(as('bob', { 'impersonate-group': 'a' })),
    whoAmI(as('bob', { 'impersonate-group': ['a', 'b'] })),
    whoAmI(as('bob', { 'impersonate-group': ['b', 'a', 'b'] })),
    whoAmI(as('bob', { 'impersonate-group': 'a, b' })),
    whoAmI(as('bob', { 'impersonate-group': '' })),
    whoAmI(as('bob', { 'impersonate-group': ['system:authenticated', 'a'] })),
    whoAmI(as('bob', { 'impersonate-group': 'system:unauthenticated' })),
    whoAmI(as('bob', { 'impersonate-group': ['system:masters', 'system:unauthenticated'] })),
    whoAmI(as('bob', { 'impersonate-group': 'system:masters' })),
  ),
  ask(
    'a service account is in its groups, unless others are named',
    whoAmI(as('system:serviceaccount:a:b')),
    whoAmI(as('system:serviceaccount:{ns}:default')),
    whoAmI(as('system:serviceaccount:a:b', { 'impersonate-group': 'x' })),
    whoAmI(as('system:serviceaccount:a:b.c')),
    whoAmI(as('system:serviceaccount:a:')),
    whoAmI(as('system:serviceaccount::b')),
    whoAmI(as('system:serviceaccount:a')),
    whoAmI(as('system:serviceaccount:a:b:c')),
    whoAmI(as('system:serviceaccount:A:b')),
    whoAmI(as('system:serviceaccount:a.b:c')),
    whoAmI(as('system:serviceaccount:a:B_')),
    whoAmI(as('System:ServiceAccount:a:b')),
    get(configmaps(), { headers: as('system:serviceaccount:{ns}:default') }),
  ),
  ask(
    'a uid and more that is known of a user',
    whoAmI(as('bob', { 'impersonate-uid': '7' })),
    whoAmI(as('bob', { 'impersonate-uid': ['7', '8'] })),
    whoAmI(as('bob', { 'impersonate-uid': '' })),
    whoAmI(as('bob', { 'impersonate-extra-scopes': 'view' })),
    whoAmI(as('bob', { 'impersonate-extra-scopes': ['view', 'development'] })),
    whoAmI(as('bob', { 'impersonate-extra-scopes': 'view, development' })),
    whoAmI(as('bob', { 'impersonate-extra-acme.com%2fproject': 'some-project' })),
    whoAmI(as('bob', { 'impersonate-extra-acme.com%2Fproject': 'some-project' })),
    whoAmI(as('bob', { 'impersonate-extra-a%zz': 'b' })),
    whoAmI(as('bob', { 'impersonate-extra-a%': 'b' })),
    whoAmI(as('bob', { 'impersonate-extra-%c3%a9': utf8('é') })),
    whoAmI(as('bob', { 'impersonate-extra-': 'b' })),
    whoAmI(as('bob', { 'impersonate-extra-a': '' })),
    whoAmI(as('bob', { 'impersonate-extra-a': 'x', 'impersonate-extra-b': ['y', 'z'] })),
    whoAmI(as('bob', { 'impersonate-extra-__proto__': 'x', 'impersonate-extra-constructor': 'y' })),
    whoAmI(
      as('bob', { 'impersonate-uid': '7', 'impersonate-group': ['a', 'b'], 'impersonate-extra-c': 'd' }),
    ),
  ),
  ask(
    'without a user nobody is meant',
    whoAmI({ 'impersonate-group': 'a' }),
    whoAmI({ 'impersonate-group': ['a', 'b'] }),
    whoAmI({ 'impersonate-uid': '7' }),
    whoAmI({ 'impersonate-extra-a': 'b' }),
    whoAmI({ 'impersonate-extra-a%2fb': ['b', 'c'] }),
    whoAmI({ 'impersonate-group': 'a', 'impersonate-extra-a': 'b', 'impersonate-uid': '7' }),
    whoAmI({ 'impersonate-user': '', 'impersonate-uid': '7' }),
    whoAmI({ 'impersonate-group': 'a' }, alice),
    whoAmI({ 'impersonate-group': 'a' }, null),
    get('/healthz', { headers: { 'impersonate-group': 'a' } }),
    get(configmaps('?watch=true'), { headers: { 'impersonate-group': 'a' } }),
    watch(configmaps('?watch=true'), {}, { headers: { 'impersonate-group': 'a' } }),
  ),
  ask(
    'headers that ask for nothing do nothing',
    whoAmI({ 'impersonate-user': '' }),
    whoAmI({ 'impersonate-uid': '' }),
    whoAmI({ 'impersonate-nothing': 'bob' }),
    whoAmI({ impersonate: 'bob' }),
    whoAmI({ 'impersonate-user': ['', 'bob'] }),
    whoAmI({ 'impersonate-user': ['bob', 'carol'] }),
  ),
  ask(
    'who may not be somebody else is told of the first right that is missing',
    whoAmI(as('bob'), alice),
    whoAmI(as('alice'), alice),
    whoAmI(as('system:anonymous'), alice),
    whoAmI(as(utf8('système')), alice),
    whoAmI(as('syst\u00e8me'), alice),
    whoAmI(as('system:serviceaccount:a:b'), alice),
    whoAmI(as('system:serviceaccount:a:'), alice),
    whoAmI(as('bob', { 'impersonate-group': 'a' }), alice),
    whoAmI(as('bob', { 'impersonate-uid': '7' }), alice),
    whoAmI(as('bob', { 'impersonate-extra-a': 'b' }), alice),
    whoAmI(as('bob'), null),
    whoAmI(as('bob'), 'not-a-token'),
    get('/healthz', { token: alice, headers: as('bob') }),
    get('/nope', { token: alice, headers: as('bob') }),
    get(configmaps('a'), { token: alice, headers: as('bob') }),
    post(configmaps(), configMap('a'), { token: alice, headers: as('bob') }),
    watch(configmaps('?watch=true'), {}, { token: alice, headers: as('bob') }),
    watch(configmaps('?watch=true'), { over: 'websocket' }, { token: alice, headers: as('bob') }),
    get(configmaps('a'), { token: alice, headers: as('bob', { accept: 'application/yaml' }) }),
    get(configmaps('a'), { token: alice, headers: as('bob', { accept: 'text/plain' }) }),
    get(configmaps('a?pretty=true'), { token: alice, headers: as('bob') }),
  ),
  ask(
    'what they may do counts, not what the sender may',
    get(configmaps(), { headers: as('bob') }),
    get(configmaps('a'), { headers: as('bob') }),
    post(configmaps(), configMap('a'), { headers: as('bob') }),
    put(configmaps('a'), configMap('a'), { headers: as('bob') }),
    send('DELETE', configmaps(), undefined, { headers: as('bob') }),
    watch(configmaps('?watch=true'), {}, { headers: as('bob') }),
    watch(configmaps('?watch=true'), { over: 'websocket' }, { headers: as('bob') }),
    get('/metrics', { headers: as('bob') }),
    get('/healthz', { headers: as('system:anonymous') }),
    get('/api', { headers: as('system:anonymous') }),
    get('/api/v1/nope', { headers: as('bob') }),
    post(configmaps(), configMap('a'), { headers: as('bob', { 'impersonate-group': 'system:masters' }) }),
    get(configmaps('a'), { headers: as('bob', { 'impersonate-group': 'system:masters' }) }),
  ),
  ask(
    'what somebody else may do can be asked for them',
    post(
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      { spec: { resourceAttributes: { verb: 'get', resource: 'pods', namespace: '{ns}' } } },
      { headers: as('bob'), pick: ({ spec }) => spec ?? null },
    ),
    post(
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      { spec: { resourceAttributes: { verb: 'impersonate', resource: 'users', name: 'x' } } },
      { token: alice, pick: ({ spec }) => spec ?? null },
    ),
  ),
  ask(
    'each part needs a right of its own, by name',
    post(
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      {
        metadata: { name: '{name}' },
        rules: [
          { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['bob', 'eve'] },
          { apiGroups: [''], resources: ['groups'], verbs: ['impersonate'], resourceNames: ['dev'] },
          {
            apiGroups: ['authentication.k8s.io'],
            resources: ['uids'],
            verbs: ['impersonate'],
            resourceNames: ['7'],
          },
          {
            apiGroups: ['authentication.k8s.io'],
            resources: ['userextras/scopes'],
            verbs: ['impersonate'],
            resourceNames: ['view'],
          },
        ],
      },
      { pick: ({ kind }) => kind ?? null },
    ),
    post(
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      {
        metadata: { name: '{name}' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: '{name}' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: '{name}' }],
      },
      { pick: ({ kind }) => kind ?? null },
    ),
    post(
      '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
      {
        metadata: { name: 'builders' },
        rules: [{ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] }],
      },
      { pick: ({ kind }) => kind ?? null },
    ),
    post(
      '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings',
      {
        metadata: { name: 'builders' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'builders' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: '{name}' }],
      },
      { pick: ({ kind }) => kind ?? null },
    ),
    // The reference hears of roles a little later.
    { ...limited(as('bob')), after: 2 },
    limited(as('eve')),
    limited(as('carol')),
    limited(as('bob', { 'impersonate-group': 'dev' })),
    limited(as('bob', { 'impersonate-group': ['dev', 'ops'] })),
    limited(as('bob', { 'impersonate-group': 'system:masters' })),
    limited(as('bob', { 'impersonate-group': 'system:authenticated' })),
    limited(as('bob', { 'impersonate-uid': '7' })),
    limited(as('bob', { 'impersonate-uid': '8' })),
    limited(as('bob', { 'impersonate-extra-scopes': 'view' })),
    limited(as('bob', { 'impersonate-extra-scopes': ['view', 'edit'] })),
    limited(as('bob', { 'impersonate-extra-other': 'view' })),
    limited(as('carol', { 'impersonate-group': 'ops', 'impersonate-uid': '8' })),
    limited(as('system:serviceaccount:{ns}:any')),
    limited(as('system:serviceaccount:other:any')),
    limited(as('system:serviceaccount:{ns}:')),
    limited({}),
  ),
]);
