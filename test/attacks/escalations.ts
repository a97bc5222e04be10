// Ways to more rights, for users with a few: RBAC objects, impersonation, tokens, certificates, subresources and webhooks.

export const namespace = 'attack-rights';
const apiGroup = 'rbac.authorization.k8s.io';
const rbac = `/apis/${apiGroup}/v1`;
const own = `${rbac}/namespaces/${namespace}`;
const core = `/api/v1/namespaces/${namespace}`;

export interface Persona {
  readonly name: string;
  readonly rules: readonly Rule[];
  readonly isClusterWide?: boolean;
  /** With own credentials; others are impersonated by the admin. */
  readonly token?: string;
}

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface Escalation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** It grants nothing that the user did not have. */
  readonly isAllowed?: boolean;
}

const writes = ['create', 'get', 'list', 'update', 'patch', 'delete'];
const readsConfigMaps: Rule = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] };

export const personas: readonly Persona[] = [
  {
    name: 'alice',
    token: 'alice-token',
    isClusterWide: true,
    rules: [
      { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['attack-nobody'] },
      { verbs: ['create'], apiGroups: [''], resources: ['serviceaccounts/token'], resourceNames: ['mine'] },
      {
        verbs: ['create', 'get'],
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests'],
      },
    ],
  },
  {
    name: 'attack-roles',
    rules: [{ verbs: writes, apiGroups: [apiGroup], resources: ['roles', 'rolebindings'] }, readsConfigMaps],
  },
  {
    name: 'attack-cluster-roles',
    isClusterWide: true,
    rules: [
      { verbs: writes, apiGroups: [apiGroup], resources: ['clusterroles', 'clusterrolebindings'] },
      readsConfigMaps,
    ],
  },
  {
    name: 'attack-deployer',
    rules: [
      { verbs: writes, apiGroups: ['apps'], resources: ['deployments'] },
      { verbs: ['get', 'update', 'patch'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['get', 'patch'], apiGroups: ['apps'], resources: ['deployments/scale'] },
    ],
  },
];

/** What the persona tries. */
export function escalations(persona: Persona): Escalation[] {
  return [...byPersona[persona.name]!(persona), ...attemptsOfAll(persona)];
}

const byPersona: Readonly<Record<string, (persona: Persona) => Escalation[]>> = {
  alice: () => [...impersonations(), ...tokenRequests(), ...signingRequests()],
  'attack-roles': ({ name }) => roleWrites(name),
  'attack-cluster-roles': ({ name }) => clusterRoleWrites(name),
  'attack-deployer': () => subresources(),
};

const secrets = '/api/v1/namespaces/kube-system/secrets';

function impersonations(): Escalation[] {
  const users = [
    'admin',
    'system:admin',
    'system:apiserver',
    'system:kube-controller-manager',
    'system:kube-scheduler',
    'system:serviceaccount:kube-system:default',
    `system:serviceaccount:${namespace}:mine`,
    'system:node:n1',
    'system:anonymous',
    'alice',
    'attack-nobody',
    'Attack-Nobody',
    'attack-nobody/..',
    'attack-nobody,admin',
    '*',
    '__proto__',
    ' ',
    '',
  ];
  const groups = ['system:masters', 'System:Masters', 'system:authenticated', 'system:nodes', 'dev', '*', ''];
  const ask = (name: string, headers: Record<string, string | string[]>): Escalation => ({
    name: `impersonates ${name}`,
    method: 'GET',
    path: secrets,
    headers,
  });
  const nobody = { 'Impersonate-User': 'attack-nobody' };
  return [
    ...users.map((user) => ask(`user ${JSON.stringify(user)}`, { 'Impersonate-User': user })),
    ...['', 'attack-nobody', 'admin'].flatMap((user) =>
      groups.map((group) =>
        ask(`${user || 'no user'} in ${JSON.stringify(group)}`, {
          ...(user && { 'Impersonate-User': user }),
          'Impersonate-Group': group,
        }),
      ),
    ),
    ask('two users', { 'Impersonate-User': ['attack-nobody', 'admin'] }),
    ask('several groups', { ...nobody, 'Impersonate-Group': ['dev', 'system:masters'] }),
    ask('a uid', { ...nobody, 'Impersonate-Uid': 'admin-uid' }),
    ask('a uid without user', { 'Impersonate-Uid': 'admin-uid' }),
    ask('an extra', { ...nobody, 'Impersonate-Extra-Scopes': 'admin' }),
    ask('an encoded extra', { ...nobody, 'Impersonate-Extra-%53copes': 'admin' }),
    ask('an extra of Object.prototype', { ...nobody, 'Impersonate-Extra-__proto__': 'x' }),
    ask('an extra without name', { ...nobody, 'Impersonate-Extra-': 'x' }),
    ask('an extra without user', { 'Impersonate-Extra-Scopes': 'admin' }),
    ask('an extra of a client certificate', {
      ...nobody,
      'Impersonate-Extra-Authentication.kubernetes.io%2fcredential-id': 'x',
    }),
    ask('headers of a proxy', { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' }),
    ask('underscores', { Impersonate_User: 'admin', Impersonate_Group: 'system:masters' }),
  ];
}

function tokenRequests(): Escalation[] {
  const spec = {};
  const of = (name: string, path: string, body: object, isAllowed = false): Escalation => ({
    name: `a token of ${name}`,
    method: 'POST',
    path,
    body,
    isAllowed,
  });
  const mine = `${core}/serviceaccounts/mine/token`;
  const bound = (kind: string, name: string) => ({
    spec: { boundObjectRef: { kind, apiVersion: 'v1', name } },
  });
  return [
    of('its own account', mine, { spec }, true),
    of('its own account, for another audience', mine, { spec: { audiences: ['other'] } }, true),
    of('another account', `${core}/serviceaccounts/theirs/token`, { spec }),
    of('another account by the name in the body', mine, { metadata: { name: 'theirs' }, spec }),
    of('another account by the namespace in the body', mine, {
      metadata: { namespace: 'kube-system' },
      spec,
    }),
    of('an account of the system', '/api/v1/namespaces/kube-system/serviceaccounts/default/token', { spec }),
    of('an account by an encoded path', `${core}/serviceaccounts/mine%2f..%2ftheirs/token`, { spec }),
    of('an account by dots', `${core}/serviceaccounts/mine/../theirs/token`, { spec }),
    of('a pod that does not exist', mine, bound('Pod', 'unknown')),
    of('a node that does not exist', mine, bound('Node', 'unknown')),
    of('an object of another kind', mine, bound('ConfigMap', 'unknown')),
    of('another secret', mine, {
      spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'theirs', uid: 'x' } },
    }),
    of('a negative lifetime', mine, { spec: { expirationSeconds: -1 } }),
  ];
}

function signingRequests(): Escalation[] {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const condition = { type: 'Approved', status: 'True', reason: 'x', message: 'x' };
  const body = { metadata: { name: 'attack' }, status: { conditions: [condition], certificate: 'eA==' } };
  return [
    ...writesOf('an approval', `${path}/attack/approval`, body),
    ...writesOf('a signature', `${path}/attack/status`, body),
    ...writesOf('another request', `${path}/attack`, body),
  ];
}

/** PUT, every patch type and DELETE of one object. */
function writesOf(name: string, path: string, body: object): Escalation[] {
  const typed = { apiVersion: 'v1', kind: 'Object', ...body };
  const patches = ['merge-patch+json', 'strategic-merge-patch+json'].map((type) => ({
    name: `${name} by ${type}`,
    method: 'PATCH',
    path,
    body,
    type: `application/${type}`,
  }));
  return [
    { name: `${name} by update`, method: 'PUT', path, body: typed },
    ...patches,
    {
      name: `${name} by json-patch`,
      method: 'PATCH',
      path,
      type: 'application/json-patch+json',
      body: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }],
    },
    {
      name: `${name} by apply`,
      method: 'PATCH',
      path: `${path}?fieldManager=attack&force=true`,
      type: 'application/apply-patch+yaml',
      body: typed,
    },
    { name: `${name} by delete`, method: 'DELETE', path },
  ];
}

/** Rules that the writers of roles do not have. */
const strongerRules: Readonly<Record<string, Rule>> = {
  secrets: { verbs: ['get'], apiGroups: [''], resources: ['secrets'] },
  'more verbs': { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] },
  'all verbs': { verbs: ['*'], apiGroups: [''], resources: ['configmaps'] },
  'all groups': { verbs: ['get'], apiGroups: ['*'], resources: ['configmaps'] },
  'all resources': { verbs: ['get'], apiGroups: [''], resources: ['*'] },
  'a subresource': { verbs: ['get'], apiGroups: [''], resources: ['configmaps/status'] },
  'all subresources': { verbs: ['get'], apiGroups: [''], resources: ['*/status'] },
  everything: { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  escalate: { verbs: ['escalate'], apiGroups: [apiGroup], resources: ['roles', 'clusterroles'] },
  bind: { verbs: ['bind'], apiGroups: [apiGroup], resources: ['roles', 'clusterroles'] },
  impersonate: { verbs: ['impersonate'], apiGroups: [''], resources: ['users', 'groups'] },
  exec: { verbs: ['create'], apiGroups: [''], resources: ['pods/exec'] },
  tokens: { verbs: ['create'], apiGroups: [''], resources: ['serviceaccounts/token'] },
};

function roleWrites(name: string): Escalation[] {
  const kind = 'Role';
  const roles = `${own}/roles`;
  const created = Object.entries(strongerRules).flatMap(([what, rule]): Escalation[] => {
    const role = { apiVersion: `${apiGroup}/v1`, kind, metadata: { name: 'attack-new' }, rules: [rule] };
    const path = `${roles}/attack-new`;
    return [
      { name: `a role with ${what}`, method: 'POST', path: roles, body: role },
      { name: `a role with ${what}, dry run`, method: 'POST', path: `${roles}?dryRun=All`, body: role },
      { name: `a role with ${what} by update`, method: 'PUT', path, body: role },
      {
        name: `a role with ${what} by apply`,
        method: 'PATCH',
        path: `${path}?fieldManager=attack&force=true`,
        type: 'application/apply-patch+yaml',
        body: role,
      },
      {
        name: `a role with ${what} beside a right that it has`,
        method: 'POST',
        path: roles,
        body: { ...role, rules: [readsConfigMaps, rule] },
      },
    ];
  });
  const bindings = [
    'cluster-admin',
    'system:aggregate-to-admin',
    'system:aggregate-to-edit',
    'system:aggregate-to-view',
    'system:controller:generic-garbage-collector',
    'unknown',
  ].flatMap((role): Escalation[] => [
    bindingOf(`${own}/rolebindings`, 'RoleBinding', role, name),
    bindingOf(`${own}/rolebindings?dryRun=All`, 'RoleBinding', role, name),
    bindingOf(`${rbac}/namespaces/kube-system/rolebindings`, 'RoleBinding', role, name),
    bindingOf(`${rbac}/clusterrolebindings`, 'ClusterRoleBinding', role, name),
  ]);
  return [
    {
      name: 'a role with a right that it has',
      method: 'POST',
      path: `${roles}?dryRun=All`,
      body: { metadata: { name: 'x' }, rules: [readsConfigMaps] },
      isAllowed: true,
    },
    ...created,
    ...bindings,
    ...changesOf(
      `${own}/rolebindings/${name}`,
      { roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' } },
      '/roleRef/name',
      'cluster-admin',
    ),
    { name: 'deletecollection of bindings', method: 'DELETE', path: `${own}/rolebindings` },
    { name: 'deletecollection of roles', method: 'DELETE', path: roles },
  ];
}

const bindingOf = (path: string, kind: string, role: string, user: string): Escalation => ({
  name: `a ${kind} to ${role} at ${path}`,
  method: 'POST',
  path,
  body: {
    apiVersion: `${apiGroup}/v1`,
    kind,
    metadata: { name: 'attack-new' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  },
});

/** Changes of an existing object, by every kind of patch. */
function changesOf(path: string, body: object, pointer: string, value: unknown): Escalation[] {
  return [
    { name: `merge patch of ${path}`, method: 'PATCH', path, body, type: 'application/merge-patch+json' },
    {
      name: `strategic patch of ${path}`,
      method: 'PATCH',
      path,
      body,
      type: 'application/strategic-merge-patch+json',
    },
    {
      name: `JSON patch of ${path}`,
      method: 'PATCH',
      path,
      body: [{ op: 'add', path: pointer, value }],
      type: 'application/json-patch+json',
    },
  ];
}

function clusterRoleWrites(name: string): Escalation[] {
  const path = `${rbac}/clusterroles`;
  const kind = 'ClusterRole';
  const role = (fields: object, labels: object = {}) => ({
    apiVersion: `${apiGroup}/v1`,
    kind,
    metadata: { name: 'attack-new', labels },
    ...fields,
  });
  const selectors = [
    {},
    { matchLabels: {} },
    { matchLabels: { [`${apiGroup}/aggregate-to-admin`]: 'true' } },
  ];
  const rules = Object.entries(strongerRules);
  return [
    ...rules.map(
      ([what, rule]): Escalation => ({
        name: `a cluster role with ${what}`,
        method: 'POST',
        path,
        body: role({ rules: [rule] }),
      }),
    ),
    ...rules.map(
      ([what, rule]): Escalation => ({
        name: `a cluster role with ${what}, aggregated to view`,
        method: 'POST',
        path,
        body: role({ rules: [rule] }, { [`${apiGroup}/aggregate-to-view`]: 'true' }),
      }),
    ),
    ...selectors.flatMap((selector): Escalation[] => {
      const aggregated = { aggregationRule: { clusterRoleSelectors: [selector] } };
      const shown = JSON.stringify(selector);
      return [
        { name: `an aggregated role by ${shown}`, method: 'POST', path, body: role(aggregated) },
        {
          name: `an aggregated role by ${shown}, by update`,
          method: 'PUT',
          path: `${path}/${name}`,
          body: { ...role(aggregated), metadata: { name } },
        },
        ...changesOf(`${path}/${name}`, aggregated, '/aggregationRule', aggregated.aggregationRule).map(
          (each) => ({ ...each, name: `${each.name} to ${shown}` }),
        ),
      ];
    }),
    ...rules.flatMap(([what, rule]) =>
      changesOf(`${path}/${name}`, { rules: [rule] }, '/rules/-', rule).map((each) => ({
        ...each,
        name: `${each.name} to ${what}`,
      })),
    ),
    ...['cluster-admin', 'system:aggregate-to-admin', 'system:aggregate-to-view', 'unknown'].map((each) =>
      bindingOf(`${rbac}/clusterrolebindings`, 'ClusterRoleBinding', each, name),
    ),
    ...changesOf(
      `${rbac}/clusterrolebindings/cluster-admin`,
      { subjects: [{ apiGroup, kind: 'User', name }] },
      '/subjects/-',
      { apiGroup, kind: 'User', name },
    ),
    ...changesOf(
      `${rbac}/clusterrolebindings/${name}`,
      { roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' } },
      '/roleRef/name',
      'cluster-admin',
    ),
    { name: 'deletecollection of cluster roles', method: 'DELETE', path },
  ];
}

function subresources(): Escalation[] {
  const parts = [
    'ephemeralcontainers',
    'status',
    'resize',
    'binding',
    'eviction',
    'exec',
    'attach',
    'portforward',
    'proxy',
    'log',
  ];
  const body = { metadata: { name: 'unknown' }, spec: {} };
  return [
    ...parts.flatMap((part) => [
      ...writesOf(`pods/${part}`, `${core}/pods/unknown/${part}`, body),
      { name: `pods/${part} by create`, method: 'POST', path: `${core}/pods/unknown/${part}`, body },
      { name: `pods/${part} by get`, method: 'GET', path: `${core}/pods/unknown/${part}` },
    ]),
    ...writesOf(
      'deployments/status',
      `/apis/apps/v1/namespaces/${namespace}/deployments/unknown/status`,
      body,
    ),
    ...writesOf(
      'statefulsets/scale',
      `/apis/apps/v1/namespaces/${namespace}/statefulsets/unknown/scale`,
      body,
    ),
    ...writesOf('the finalizers of a namespace', `${core}/finalize`, body),
    ...writesOf('the node of a pod', '/api/v1/nodes/unknown/proxy/', body),
  ];
}

/** Objects by which the server would do or allow something for their author. */
const powerfulObjects: Readonly<Record<string, string>> = {
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations': 'ValidatingWebhookConfiguration',
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations': 'MutatingWebhookConfiguration',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies': 'ValidatingAdmissionPolicy',
  '/apis/apiregistration.k8s.io/v1/apiservices': 'APIService',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': 'CustomResourceDefinition',
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas': 'FlowSchema',
  '/apis/authentication.k8s.io/v1/tokenreviews': 'TokenReview',
  '/apis/authorization.k8s.io/v1/subjectaccessreviews': 'SubjectAccessReview',
  '/api/v1/namespaces': 'Namespace',
  '/api/v1/nodes': 'Node',
  '/api/v1/persistentvolumes': 'PersistentVolume',
  [`${core}/secrets`]: 'Secret',
  [`${core}/serviceaccounts`]: 'ServiceAccount',
  [`${core}/pods`]: 'Pod',
};

function attemptsOfAll({ name }: Persona): Escalation[] {
  const paths = Object.entries(powerfulObjects).flatMap(([path, kind]): Escalation[] => {
    const body = { kind, metadata: { name: 'attack-new' } };
    const target =
      path === `${core}/pods` && name === 'attack-deployer'
        ? []
        : writesOf(`a ${kind}`, `${path}/attack-new`, body);
    return [
      { name: `a ${kind} by create`, method: 'POST', path, body },
      { name: `${kind}s by deletecollection`, method: 'DELETE', path },
      ...target,
    ];
  });
  const others = [
    '/metrics',
    '/logs',
    '/debug/pprof/',
    '/debug/flags/v',
    '/apis/../metrics',
    secrets,
    '/api/v1/secrets',
  ];
  return [...paths, ...others.map((path): Escalation => ({ name: path, method: 'GET', path }))];
}
