import { ask, type Case, del, get, type JsonObject, post, type Step, send, subject, watch } from '../case.ts';

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';
const schemas = `${group}/flowschemas`;
const levels = `${group}/prioritylevelconfigurations`;
const schemaNames = [
  'exempt',
  'probes',
  'system-leader-election',
  'endpoint-controller',
  'workload-leader-election',
  'system-node-high',
  'system-nodes',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-system-service-accounts',
  'service-accounts',
  'global-default',
  'catch-all',
];
const levelNames = [
  'exempt',
  'system',
  'node-high',
  'leader-election',
  'workload-high',
  'workload-low',
  'global-default',
  'catch-all',
];

type Headers = Record<string, string | string[]>;
const as = (user: string, ...groups: string[]): Headers => ({
  'impersonate-user': user,
  ...(groups.length > 0 && { 'impersonate-group': groups }),
});

/** All but the revision: in which order the standing objects are made is each server's own affair. */
const withoutRevision = ({ metadata, ...rest }: JsonObject): JsonObject => {
  const { resourceVersion: _, ...kept } = metadata as JsonObject;
  return { ...rest, metadata: kept };
};
const standing = [
  ...schemaNames.map((name) => get(`${schemas}/${name}`, { pick: withoutRevision })),
  ...levelNames.map((name) => get(`${levels}/${name}`, { pick: withoutRevision })),
];
/** Each server is of its own version, and has leases and endpoints of its own; the headers are what counts here. */
const pickOf = (path: string) =>
  ['/version', '/apis/coordination.k8s.io/v1/leases', '/api/v1/endpoints'].includes(path)
    ? { pick: ({ kind, code }: JsonObject) => [kind ?? null, code ?? null] }
    : {};

const bob = as('bob');
const node = as('system:node:a', 'system:nodes');
const systemAccount = as('system:serviceaccount:kube-system:builder');
const account = as('system:serviceaccount:{ns}:builder');
const controllerManager = as('system:kube-controller-manager');
const scheduler = as('system:kube-scheduler');
const lease = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/a';
const leases = '/apis/coordination.k8s.io/v1/leases';
const endpoints = '/api/v1/namespaces/{ns}/endpoints/a';
const configMap = '/api/v1/namespaces/{ns}/configmaps/a';
const paths = [
  '/healthz',
  '/healthz/ping',
  '/livez',
  '/readyz/ping',
  '/version',
  '/api',
  '/nothing',
  '/healthzz',
];
const resources = [
  '/api/v1/nodes',
  '/api/v1/nodes/a',
  '/api/v1/nodes/a/status',
  '/api/v1/pods',
  lease,
  leases,
];

const asked = (headers: Headers, ...where: string[]): Step[] =>
  where.map((path) => get(path, { headers, ...pickOf(path) }));

/** Waits until what was written counts; the reference takes a moment. */
const settled = (step: Step): Step => ({ ...step, after: 1 });

const limited: JsonObject = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
const makeLevel = (name: string) => post(levels, { metadata: { name }, spec: limited });
const makeSchema = (name: string, level: string, matchingPrecedence: number, ...rules: JsonObject[]) =>
  post(schemas, {
    metadata: { name },
    spec: { priorityLevelConfiguration: { name: level }, matchingPrecedence, rules },
  });
const user = (name: string): JsonObject => ({ kind: 'User', user: { name } });
const anything: JsonObject = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
};
const anyPath: JsonObject = { verbs: ['*'], nonResourceURLs: ['*'] };
const merged = (path: string, body: JsonObject): Step =>
  send('PATCH', `${path}?dryRun=All`, body, {
    headers: { 'content-type': 'application/merge-patch+json' },
    pick: withoutRevision,
  });

/** A schema of the case's own for a user of its own, and where requests of theirs fall. */
const matching = (name: string, rule: JsonObject, ...steps: Step[]): Case =>
  ask(
    name,
    makeLevel('{name}'),
    makeSchema('{name}', '{name}', 50, rule),
    // When it was told so is a matter of a moment.
    settled(get(`${schemas}/{name}`, { pick: ({ status }) => status ?? null })),
    steps,
  );

export const fairness = subject('fairness', [
  ask('the schemas and levels that every server has', standing),
  ask(
    'masters, users and who is nobody',
    standing,
    get(configMap),
    ...asked(bob, configMap, '/api/v1/pods', ...paths),
    send('POST', '/healthz', undefined, { headers: bob }),
    send('HEAD', '/healthz', undefined, { headers: bob }),
    get('/healthz', { token: null }),
    get('/version', { token: null, ...pickOf('/version') }),
    get('/api/v1/pods', { token: null }),
    get('/version', { token: 'wrong' }),
    get('/version', { token: 'alice-token', ...pickOf('/version') }),
    get('/api/v1/pods', { token: 'alice-token' }),
  ),
  ask('nodes', standing, ...asked(node, ...resources, configMap, '/healthz', '/version')),
  ask(
    'service accounts',
    standing,
    ...asked(systemAccount, ...resources, configMap, endpoints, '/healthz', '/version'),
    ...asked(account, ...resources, configMap, endpoints, '/version'),
    ...asked(
      as('system:serviceaccount:kube-system:endpoint-controller'),
      endpoints,
      '/api/v1/endpoints',
      lease,
    ),
  ),
  ask(
    'the parts of the control plane',
    standing,
    ...asked(controllerManager, lease, leases, endpoints, configMap, '/version'),
    ...asked(scheduler, lease, leases, endpoints, configMap, '/version'),
  ),
  ask(
    'what lasts: a watch falls under a schema, other such requests do not',
    standing,
    watch('/api/v1/namespaces/{ns}/configmaps?watch=1&timeoutSeconds=1'),
    watch('/api/v1/namespaces/{ns}/configmaps?watch=1&timeoutSeconds=1', {}, { headers: bob }),
    get('/api/v1/namespaces/{ns}/pods/a/log'),
    get('/api/v1/namespaces/{ns}/pods/a/log', { headers: bob }),
    get('/api/v1/namespaces/{ns}/pods/a/exec'),
    get('/api/v1/nodes/a/proxy', { headers: bob }),
  ),
  ask(
    'the first by precedence counts, and of two alike the first by name',
    makeLevel('{name}'),
    makeSchema('{other}', '{name}', 60, { subjects: [user('{name}')], resourceRules: [anything] }),
    settled(get(configMap, { headers: as('{name}') })),
    makeSchema('{name}', '{name}', 60, { subjects: [user('{name}')], resourceRules: [anything] }),
    settled(get(configMap, { headers: as('{name}') })),
    get(`${schemas}/{name}`),
    get(`${schemas}/{other}`),
    del(`${schemas}/{name}`),
    settled(get(configMap, { headers: as('{name}') })),
    del(`${schemas}/{other}`),
    settled(get(configMap, { headers: as('{name}') })),
  ),
  matching(
    'resources by verb, namespace and subresource',
    {
      subjects: [user('{name}')],
      resourceRules: [
        { verbs: ['get'], apiGroups: [''], resources: ['configmaps', 'pods/status'], namespaces: ['{ns}'] },
      ],
    },
    ...asked(
      as('{name}'),
      configMap,
      '/api/v1/namespaces/{ns}/configmaps',
      '/api/v1/namespaces/default/configmaps/a',
      '/api/v1/configmaps',
      '/api/v1/namespaces/{ns}/pods/a',
      '/api/v1/namespaces/{ns}/pods/a/status',
      '/api/v1/namespaces/{ns}',
      '/version',
    ),
  ),
  matching(
    'what has no namespace',
    {
      subjects: [user('{name}')],
      resourceRules: [{ verbs: ['*'], apiGroups: [''], resources: ['*'], clusterScope: true }],
    },
    ...asked(
      as('{name}'),
      '/api/v1/configmaps',
      configMap,
      '/api/v1/namespaces/{ns}',
      '/api/v1/nodes',
      leases,
    ),
  ),
  matching(
    'paths: with a star only what is below',
    {
      subjects: [user('{name}')],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x/*', '/y', '/hea', '/z/'] }],
    },
    ...asked(
      as('{name}'),
      '/x',
      '/x/',
      '/x/a',
      '/x/a/b',
      '/y',
      '/y/',
      '/y/a',
      '/ya',
      '/hea',
      '/hearth',
      '/z',
      '/z/a',
    ),
    send('POST', '/y', undefined, { headers: as('{name}') }),
  ),
  matching(
    'a group, and a service account',
    {
      subjects: [
        { kind: 'Group', group: { name: '{name}' } },
        { kind: 'ServiceAccount', serviceAccount: { namespace: '{ns}', name: 'x' } },
      ],
      resourceRules: [anything],
      nonResourceRules: [anyPath],
    },
    ...asked(as('u', '{name}'), configMap, '/version'),
    ...asked(as('u', 'other'), configMap, '/version'),
    ...asked(as('system:serviceaccount:{ns}:x'), configMap, '/version'),
    ...asked(as('system:serviceaccount:{ns}:xy'), configMap, '/version'),
    ...asked(as('system:serviceaccount:default:x'), configMap),
  ),
  ask(
    'a schema whose level does not exist is told so, and counts for nothing',
    makeSchema('{name}', '{name}', 60, { subjects: [user('{name}')], resourceRules: [anything] }),
    settled(get(`${schemas}/{name}`)),
    get(configMap, { headers: as('{name}') }),
    makeLevel('{name}'),
    settled(get(`${schemas}/{name}`)),
    get(configMap, { headers: as('{name}') }),
    del(`${levels}/{name}`),
    settled(get(`${schemas}/{name}`)),
    get(configMap, { headers: as('{name}') }),
  ),
  ask(
    'what every server has cannot be changed, the rest can',
    ...['exempt', 'catch-all'].flatMap((name) => [
      merged(`${schemas}/${name}`, { spec: { matchingPrecedence: 9999 } }),
      merged(`${schemas}/${name}`, { spec: { rules: [] } }),
      merged(`${schemas}/${name}`, { spec: { priorityLevelConfiguration: { name: 'system' } } }),
      merged(`${schemas}/${name}`, { metadata: { annotations: { a: 'b' } } }),
      merged(`${schemas}/${name}`, {
        metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'false' } },
      }),
      del(`${schemas}/${name}?dryRun=All`),
      del(`${levels}/${name}?dryRun=All`),
    ]),
    merged(`${levels}/exempt`, { spec: { exempt: { nominalConcurrencyShares: 5 } } }),
    merged(`${levels}/exempt`, { spec: { exempt: { lendablePercent: 50 } } }),
    merged(`${levels}/catch-all`, { spec: { limited: { nominalConcurrencyShares: 6 } } }),
    merged(`${levels}/catch-all`, { spec: { limited: { lendablePercent: 50 } } }),
    merged(`${schemas}/probes`, { spec: { matchingPrecedence: 3 } }),
    merged(`${schemas}/global-default`, { spec: { distinguisherMethod: null } }),
    merged(`${levels}/system`, {
      spec: { limited: { nominalConcurrencyShares: 1, borrowingLimitPercent: 10 } },
    }),
  ),
  ask(
    'looking at what is going on',
    ...[
      'dump_priority_levels',
      'dump_queues',
      'dump_requests',
      'dump_requests?includeRequestDetails=1',
    ].flatMap((page) => [
      send('HEAD', `/debug/api_priority_and_fairness/${page}`),
      get(`/debug/api_priority_and_fairness/${page}`, { headers: bob }),
      get(`/debug/api_priority_and_fairness/${page}`, { token: null }),
    ]),
    get('/debug/api_priority_and_fairness/nothing'),
    get('/debug/api_priority_and_fairness'),
  ),
]);
