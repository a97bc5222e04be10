import { ask, del, get, type Json, type JsonObject, post, type Step, subject } from '../case.ts';
import { object, paths } from './objects.ts';

const authorization = paths('/apis/authorization.k8s.io/v1');
const rbac = paths('/apis/rbac.authorization.k8s.io/v1');
const inNamespace = (rest: string) => rbac(`namespaces/{ns}/${rest}`);

const apiGroup = 'rbac.authorization.k8s.io';
const user = 'user-{name}';
const rule = (apiGroups: string[], resources: string[], verbs: string[], more: JsonObject = {}) => ({
  apiGroups,
  resources,
  verbs,
  ...more,
});
const roleRef = (kind: string, name: string) => ({ apiGroup, kind, name });
const subjects: Readonly<Record<string, JsonObject>> = {
  user: { apiGroup, kind: 'User', name: user },
  group: { apiGroup, kind: 'Group', name: 'group-{name}' },
  account: { kind: 'ServiceAccount', name: 'account', namespace: '{ns}' },
};
const to = (...names: string[]) => names.map((name) => subjects[name]!);

/** Rules come in no particular order. */
const sorted = (body: JsonObject): JsonObject => {
  const status = (body.status ?? {}) as JsonObject;
  const rules = (list: Json | undefined) =>
    (Array.isArray(list) ? list : []).map((rule) => JSON.stringify(rule)).sort();
  return {
    ...body,
    status: {
      ...status,
      resourceRules: rules(status.resourceRules),
      nonResourceRules: rules(status.nonResourceRules),
    },
  };
};
const rulesReview = (namespace: string, name: string) =>
  post(
    authorization('selfsubjectrulesreviews'),
    { spec: { namespace } },
    { headers: { 'Impersonate-User': name }, pick: sorted },
  );

/** Roles in a namespace and at large, for a user, a group and a service account. */
const granted: Step[] = [
  post(
    inNamespace('roles'),
    object('reader', {
      rules: [
        rule([''], ['pods', 'pods/log'], ['get', 'list']),
        rule([''], ['configmaps'], ['get', 'update'], { resourceNames: ['one', 'two'] }),
        rule(['apps'], ['*'], ['watch']),
        rule([''], ['*/scale'], ['patch']),
      ],
    }),
  ),
  post(
    inNamespace('rolebindings'),
    object('readers', { roleRef: roleRef('Role', 'reader'), subjects: to('user', 'group') }),
  ),
  post(
    rbac('clusterroles'),
    object('{name}', {
      rules: [
        rule([''], ['nodes'], ['*']),
        rule(['batch'], ['jobs', 'jobs/status'], ['create', 'delete']),
        { nonResourceURLs: ['/{name}', '/{name}/*'], verbs: ['get', 'post'] },
      ],
    }),
  ),
  post(
    rbac('clusterrolebindings'),
    object('{name}', { roleRef: roleRef('ClusterRole', '{name}'), subjects: to('group') }),
  ),
  post(
    inNamespace('rolebindings'),
    object('workers', { roleRef: roleRef('ClusterRole', '{name}'), subjects: to('account') }),
  ),
  post(
    inNamespace('rolebindings'),
    object('lost', { roleRef: roleRef('ClusterRole', '{other}'), subjects: to('account') }),
  ),
  get(inNamespace('rolebindings/lost'), { after: 1 }),
];
const undone = [del(rbac('clusterrolebindings/{name}')), del(rbac('clusterroles/{name}'))];

const account = 'system:serviceaccount:{ns}:account';
const who: Readonly<Record<string, JsonObject>> = {
  'the user': { user },
  'the group': { user: 'somebody', groups: ['group-{name}'] },
  'the group alone': { groups: ['group-{name}'] },
  'the user in the group': {
    user,
    groups: ['system:authenticated', 'group-{name}'],
    uid: 'u',
    extra: { a: ['b'] },
  },
  'the account': { user: account, groups: ['system:serviceaccounts', 'system:serviceaccounts:{ns}'] },
  'somebody else': { user: 'somebody', groups: ['system:authenticated'] },
  nobody: { user: 'system:anonymous', groups: ['system:unauthenticated'] },
};

const asked = (verb: string, resource: string, more: JsonObject = {}) => ({
  resourceAttributes: { verb, resource, namespace: '{ns}', ...more },
});
const path = (verb: string, text: string) => ({ nonResourceAttributes: { verb, path: text } });
const questions: JsonObject[] = [
  asked('get', 'pods'),
  asked('get', 'pods', { name: 'a' }),
  asked('get', 'pods', { subresource: 'log' }),
  asked('get', 'pods', { subresource: 'exec' }),
  asked('get', 'pods', { namespace: 'default' }),
  asked('list', 'pods', { namespace: '' }),
  asked('watch', 'pods'),
  asked('*', 'pods'),
  asked('get', '*'),
  asked('get', 'configmaps'),
  asked('get', 'configmaps', { name: 'one' }),
  asked('update', 'configmaps', { name: 'three' }),
  asked('watch', 'deployments', { group: 'apps' }),
  asked('watch', 'deployments', { group: 'apps', subresource: 'status' }),
  asked('watch', 'deployments', { group: '*' }),
  asked('patch', 'anything', { subresource: 'scale' }),
  asked('frob', 'nodes', { namespace: '' }),
  asked('get', 'nodes', { name: 'n', version: 'v9' }),
  asked('create', 'jobs', { group: 'batch' }),
  asked('delete', 'jobs', { group: 'batch', subresource: 'status', namespace: 'default' }),
  path('get', '/{name}'),
  path('post', '/{name}/a/b'),
  path('get', '/{name}x'),
  path('get', '/openapi/v2'),
  path('get', '/api/v1'),
  path('', ''),
];

export const reviewsAccess = subject('reviews-access', [
  ...Object.entries(who).map(([name, spec]) =>
    ask(
      `may ${name}`,
      granted,
      questions.map((question) =>
        post(authorization('subjectaccessreviews'), { spec: { ...spec, ...question } }),
      ),
      undone,
    ),
  ),
  ask(
    'may they, here',
    granted,
    Object.values(who).map((spec) =>
      post(authorization('namespaces/{ns}/localsubjectaccessreviews'), {
        spec: { ...spec, ...asked('get', 'pods') },
      }),
    ),
    undone,
  ),
  ...[user, account, 'system:anonymous'].map((name) =>
    ask(
      `may I, as ${name}`,
      granted,
      [questions[0]!, questions[3]!, questions[18]!, questions[20]!, questions[23]!].map((question) =>
        post(
          authorization('selfsubjectaccessreviews'),
          { spec: question },
          { headers: { 'Impersonate-User': name } },
        ),
      ),
      rulesReview('{ns}', name),
      rulesReview('default', name),
      undone,
    ),
  ),
  ask(
    'may they, by what the server comes with',
    [
      { user: 'system:kube-scheduler', ...asked('list', 'pods', { namespace: '' }) },
      { user: 'system:kube-controller-manager', ...asked('create', 'events') },
      { user: 'system:kube-proxy', ...asked('watch', 'endpointslices', { group: 'discovery.k8s.io' }) },
      { user: 'x', groups: ['system:nodes'], ...asked('get', 'nodes', { namespace: '' }) },
      { user: 'x', groups: ['system:monitoring'], ...path('get', '/metrics') },
      { user: 'x', groups: ['system:serviceaccounts'], ...path('get', '/openid/v1/jwks') },
      {
        user: 'system:serviceaccount:kube-system:cronjob-controller',
        ...asked('list', 'cronjobs', { group: 'batch' }),
      },
      { user: 'x', groups: ['system:masters'], ...asked('frob', 'anything') },
      { user: 'x', groups: ['system:masters'], ...path('frob', '/anything') },
    ].map((spec) => post(authorization('subjectaccessreviews'), { spec })),
  ),
  ask(
    'who may ask',
    ['somebody', 'system:anonymous'].flatMap((name) => [
      ...[
        'subjectaccessreviews',
        'namespaces/{ns}/localsubjectaccessreviews',
        'selfsubjectaccessreviews',
      ].map((kind) =>
        post(
          authorization(kind),
          { spec: { user: 'u', ...asked('get', 'pods') } },
          { headers: { 'Impersonate-User': name } },
        ),
      ),
      rulesReview('{ns}', name),
      rulesReview('', name),
    ]),
  ),
]);
