// The users of the load test: ten attackers and four honest clients, with the same tokens on both servers.
export const attackers = Array.from({ length: 10 }, (_, index) => `attacker-${index}`);
export const honestClients = Array.from({ length: 4 }, (_, index) => `honest-${index}`);

export const adminToken = 'admin-token';
export const tokenOf = (user: string) => `${user}-token`;

/** The namespace that the attackers administrate, and those of the honest clients. */
export const attacked = 'attacked';
export const honestNamespace = 'honest';
export const honestListNamespace = 'honest-list';

const groups = { attackers: 'attackers', honest: 'honest' };

/** A file for `--token-auth-file`. */
export function tokenFile(): string {
  const line = (user: string, group: string) => `${tokenOf(user)},${user},${user}-uid,${group}`;
  return [
    line('admin', 'system:masters'),
    ...attackers.map((user) => line(user, groups.attackers)),
    ...honestClients.map((user) => line(user, groups.honest)),
    '',
  ].join('\n');
}

/** What the attackers may do: read one object, everything in their namespace, or also write CRDs. */
export type Rights = 'get' | 'namespace' | 'definitions';

const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
const readLarge = { apiGroups: [''], resources: ['configmaps'], resourceNames: ['large'], verbs: ['get'] };
const writeDefinitions = {
  apiGroups: ['apiextensions.k8s.io'],
  resources: ['customresourcedefinitions'],
  verbs: ['create', 'get', 'delete'],
};

/** The objects that give the users their rights, as paths and bodies of creates. */
export function rightsObjects(rights: Rights): [path: string, body: object][] {
  const grants = [
    { namespace: attacked, group: groups.attackers, rules: [rights === 'get' ? readLarge : everything] },
    { namespace: honestNamespace, group: groups.honest, rules: [everything] },
    { namespace: honestListNamespace, group: groups.honest, rules: [everything] },
  ];
  const created: [string, object][] = grants.flatMap(({ namespace, group, rules }) => [
    ['/api/v1/namespaces', { metadata: { name: namespace } }],
    [`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } }],
    [`${rbac}/namespaces/${namespace}/roles`, { metadata: { name: group }, rules }],
    [`${rbac}/namespaces/${namespace}/rolebindings`, binding('Role', group)],
  ]);
  if (rights !== 'definitions') return created;
  return [
    ...created,
    [`${rbac}/clusterroles`, { metadata: { name: groups.attackers }, rules: [writeDefinitions] }],
    [`${rbac}/clusterrolebindings`, binding('ClusterRole', groups.attackers)],
  ];
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';

const binding = (kind: string, group: string) => ({
  metadata: { name: group },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: group },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
});
