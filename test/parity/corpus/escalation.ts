import { ask, get, type JsonObject, post, put, type Step, send, subject } from '../case.ts';
import {
  binding,
  bob,
  clusterrolebindings,
  clusterroles,
  giveEverywhere,
  giveHere,
  rbacGroup,
  rolebindings,
  roles,
  settled,
  toBob,
} from './authorization.ts';
import { object } from './objects.ts';

/** Whoever may write roles and bindings, and has a few rights beside. */
const writesRoles = {
  verbs: ['create', 'update', 'patch', 'get', 'list', 'delete'],
  apiGroups: [rbacGroup],
  resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
};
const readsPods = { verbs: ['get', 'list'], apiGroups: ['', 'apps'], resources: ['pods', '*/scale'] };
const readsOneSecret = {
  verbs: ['get'],
  apiGroups: [''],
  resources: ['secrets'],
  resourceNames: ['mine', 'ours'],
};
const readsPaths = { verbs: ['get'], nonResourceURLs: ['/x/*', '/y'] };

const role = (name: string, ...rules: JsonObject[]) => object(name, { rules });
const change = (path: string, body: JsonObject, type = 'merge-patch+json'): Step =>
  send('PATCH', path, body, { headers: { ...bob.headers, 'content-type': `application/${type}` } });

const asked: JsonObject[] = [
  { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
  { verbs: ['list', 'get'], apiGroups: ['apps', ''], resources: ['pods', 'pods/scale', 'deployments/scale'] },
  { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a', 'b'] },
  { verbs: ['get'], apiGroups: [''], resources: ['pods', 'nodes'] },
  { verbs: ['get', 'watch', 'delete'], apiGroups: ['', 'batch'], resources: ['pods', 'jobs'] },
  { verbs: ['*'], apiGroups: [''], resources: ['pods'] },
  { verbs: ['get'], apiGroups: ['*'], resources: ['pods'] },
  { verbs: ['get'], apiGroups: [''], resources: ['*'] },
  { verbs: ['get'], apiGroups: [''], resources: ['*/scale'] },
  { verbs: ['get'], apiGroups: [''], resources: ['pods/*'] },
  { verbs: ['get'], apiGroups: [''], resources: ['secrets'] },
  { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['mine'] },
  { verbs: ['get', 'update'], apiGroups: [''], resources: ['secrets'], resourceNames: ['ours', 'theirs'] },
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['get', 'get'], apiGroups: [''], resources: ['nodes', 'nodes'] },
  { verbs: ['"'], apiGroups: ['é'], resources: ['a b'] },
  { verbs: [], apiGroups: [''], resources: ['nodes'] },
  { verbs: ['get'], apiGroups: [], resources: ['nodes'] },
  { verbs: ['get'], apiGroups: [''], resources: [] },
];

const askedOfPaths: JsonObject[] = [
  { verbs: ['get'], nonResourceURLs: ['/x/y', '/x/*', '/y'] },
  { verbs: ['get', 'post'], nonResourceURLs: ['/x/y'] },
  { verbs: ['get'], nonResourceURLs: ['/x', '/y/z', '/y*'] },
  { verbs: ['*'], nonResourceURLs: ['/y'] },
  { verbs: ['get'], nonResourceURLs: ['*'] },
  { verbs: ['get'], nonResourceURLs: ['/*'] },
];

export const escalation = subject('escalation', [
  ask(
    'a role says no more than its writer may',
    giveEverywhere([writesRoles, readsPods, readsOneSecret], toBob),
    settled(asked.map((rule, n) => post(roles(), role(`r${n}`, rule), bob))),
    post(roles(), role('many', ...asked.slice(0, 6)), bob),
    post(roles(), { metadata: { generateName: 'g-' }, rules: [asked[3]!] }, bob),
    post(roles(), role('a/b', asked[3]!), bob),
    post(roles(), role('r0', asked[3]!), bob),
    post(roles('?dryRun=All'), role('x', asked[3]!), bob),
    post(roles(), role('empty'), bob),
    put(roles('r0'), role('r0', asked[3]!), bob),
    put(roles('r0'), role('r0', asked[1]!), bob),
    put(roles('r0'), object('r0', { rules: [asked[3]!] }, { resourceVersion: '1' }), bob),
    put(roles('r0'), object('r0', { rules: [asked[1]!] }, { resourceVersion: '1' }), bob),
    put(roles('new'), role('new', asked[3]!), bob),
    put(roles('new'), role('new', asked[0]!), bob),
    change(roles('r0'), { rules: [asked[3]!] }),
    change(roles('r0'), { metadata: { labels: { a: 'b' } } }),
    change(
      roles('applied?fieldManager=x'),
      { apiVersion: `${rbacGroup}/v1`, kind: 'Role', ...role('applied', asked[3]!) },
      'apply-patch+yaml',
    ),
  ),
  ask(
    'nor does a role of the whole cluster',
    giveEverywhere([writesRoles, readsPods, readsPaths], toBob),
    settled(askedOfPaths.map((rule) => post(clusterroles('?dryRun=All'), role('{other}', rule), bob))),
    post(clusterroles('?dryRun=All'), role('{other}', asked[4]!, askedOfPaths[1]!), bob),
    post(clusterroles('?dryRun=All'), role('{other}', asked[0]!, askedOfPaths[0]!), bob),
  ),
  ask(
    'what counts is what its writer may in its place',
    giveHere([writesRoles, readsPods], toBob),
    settled([post(roles(), role('a', asked[0]!), bob)]),
    post(roles(), role('b', asked[3]!), bob),
    post(clusterroles(), role('{other}', asked[0]!), bob),
    post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', role('{other}', asked[0]!), bob),
  ),
  ask(
    'unless they may escalate',
    giveEverywhere(
      [{ ...writesRoles, verbs: [...writesRoles.verbs, 'escalate'], resources: ['roles'] }],
      toBob,
    ),
    settled([post(roles(), role('a', asked[13]!), bob)]),
    put(roles('a'), role('a', asked[4]!), bob),
    put(roles('b'), role('b', asked[4]!), bob),
    post(clusterroles(), role('{other}', asked[0]!), bob),
  ),
  ask(
    'or escalate one of them',
    giveEverywhere(
      [
        writesRoles,
        { verbs: ['escalate'], apiGroups: [rbacGroup], resources: ['roles'], resourceNames: ['a'] },
      ],
      toBob,
    ),
    settled([post(roles(), role('a', asked[13]!), bob)]),
    put(roles('a'), role('a', asked[13]!), bob),
    put(roles('b'), role('b', asked[13]!), bob),
  ),
  ask(
    'who belongs to whom may be changed without having what the role says',
    post(roles(), role('big', asked[13]!)),
    post(rolebindings(), binding('big', 'Role', 'big')),
    giveHere([writesRoles], toBob),
    settled([change(roles('big'), { metadata: { finalizers: ['example.com/x'] } })]),
    change(roles('big'), { metadata: { finalizers: null } }),
    change(roles('big'), {}),
    change(roles('big'), { metadata: { labels: { a: 'b' } } }),
    change(roles('big'), { rules: [] }),
    change(rolebindings('big'), { metadata: { finalizers: ['example.com/x'] } }),
    change(rolebindings('big'), { metadata: { finalizers: null } }),
    change(rolebindings('big'), { metadata: { labels: { a: 'b' } } }),
  ),
  ask(
    'a role that gathers others needs all there is',
    post(clusterroles(), object('{other}', { aggregationRule: gathering(), rules: [] })),
    giveEverywhere([writesRoles, { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], toBob),
    settled([change(clusterroles('{other}'), { metadata: { labels: { a: 'b' } } })]),
    change(clusterroles('{other}'), { aggregationRule: null }),
  ),
  ask(
    'and who has all there is may write it',
    giveEverywhere(
      [
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
        { verbs: ['*'], nonResourceURLs: ['*'] },
      ],
      toBob,
    ),
    settled([post(clusterroles(), object('{other}', { aggregationRule: gathering() }), bob)]),
    change(clusterroles('{other}'), { rules: [asked[13]!] }),
  ),
  ask(
    'or who lacks it may not create it',
    giveEverywhere([writesRoles], toBob),
    settled([post(clusterroles(), object('{other}', { aggregationRule: gathering() }), bob)]),
    post(clusterroles(), object('{other}', { aggregationRule: { clusterRoleSelectors: [] } }), bob),
    post(clusterroles(), object('{other}', { aggregationRule: gathering(), rules: [asked[0]!] }), bob),
  ),
  ask(
    'a role is looked for where its name and place make sense',
    giveEverywhere([writesRoles], toBob),
    settled([post(clusterrolebindings(), binding('{other}', 'Role', 'small', toBob), bob)]),
    post(clusterrolebindings(), binding('{other}', 'Role', '', toBob), bob),
    post(rolebindings(), binding('b', 'Role', 'a/b', toBob), bob),
    post(rolebindings(), binding('b', 'ClusterRole', '..', toBob), bob),
  ),
  ask(
    'the right to bind is asked for in the group that a binding names',
    giveEverywhere([writesRoles, { verbs: ['bind'], apiGroups: ['x'], resources: ['clusterroles'] }], toBob),
    settled([post(rolebindings(), binding('b', 'ClusterRole', 'cluster-admin', toBob), bob)]),
    post(
      rolebindings(),
      object('b', { roleRef: { apiGroup: 'x', kind: 'ClusterRole', name: 'cluster-admin' } }),
      bob,
    ),
  ),
  ask(
    'a binding gives no more than its writer has',
    post(roles(), role('small', asked[0]!)),
    post(roles(), role('large', ...asked.slice(2, 6))),
    giveEverywhere([writesRoles, readsPods], toBob),
    settled([post(rolebindings(), binding('a', 'Role', 'small', toBob), bob)]),
    post(rolebindings(), binding('b', 'Role', 'large', toBob), bob),
    post(rolebindings(), binding('b', 'Role', 'none', toBob), bob),
    post(rolebindings(), binding('b', 'ClusterRole', 'none-{other}', toBob), bob),
    post(rolebindings(), binding('b', 'ClusterRole', 'cluster-admin', toBob), bob),
    post(rolebindings(), binding('b', 'ClusterRole', '{name}', toBob), bob),
    post(rolebindings(), binding('b', 'Other', 'small', toBob), bob),
    post(rolebindings(), object('b', { roleRef: { apiGroup: 'x', kind: 'Role', name: 'small' } }), bob),
    post(rolebindings(), object('b', { roleRef: { kind: 'Role', name: '' } }), bob),
    post(rolebindings(), { metadata: { generateName: 'g-' }, ...without(binding('', 'Role', 'large')) }, bob),
    put(rolebindings('a'), binding('a', 'Role', 'small'), bob),
    put(rolebindings('a'), binding('a', 'Role', 'large'), bob),
    put(rolebindings('a'), binding('a', 'Role', 'none'), bob),
    put(rolebindings('new'), binding('new', 'Role', 'large'), bob),
    put(rolebindings('new'), binding('new', 'Role', 'small'), bob),
    change(rolebindings('a'), { subjects: [toBob, { kind: 'Group', name: 'all' }] }),
    change(rolebindings('a'), { roleRef: { name: 'large' } }),
    post(clusterrolebindings(), binding('{other}', 'ClusterRole', 'cluster-admin', toBob), bob),
    post(clusterrolebindings(), binding('{other}', 'ClusterRole', 'none-{other}', toBob), bob),
    post(clusterrolebindings(), binding('{other}', 'ClusterRole', '{name}', toBob), bob),
  ),
  ask(
    'unless they may bind the role',
    post(roles(), role('large', asked[13]!)),
    post(roles(), role('huge', asked[13]!)),
    giveEverywhere(
      [
        writesRoles,
        {
          verbs: ['bind'],
          apiGroups: [rbacGroup],
          resources: ['roles', 'clusterroles'],
          resourceNames: ['large', 'view', 'none'],
        },
      ],
      toBob,
    ),
    settled([post(rolebindings(), binding('a', 'Role', 'large', toBob), bob)]),
    post(rolebindings(), binding('b', 'Role', 'huge', toBob), bob),
    post(rolebindings(), binding('c', 'Role', 'none', toBob), bob),
    post(rolebindings(), binding('d', 'ClusterRole', 'view', toBob), bob),
    post(rolebindings(), binding('e', 'ClusterRole', 'admin', toBob), bob),
    post(rolebindings(), binding('f', 'ClusterRole', 'large', toBob), bob),
    post(clusterrolebindings(), binding('{other}', 'ClusterRole', 'view', toBob), bob),
    change(rolebindings('a'), { subjects: [] }),
  ),
  ask(
    'roles that are not there make it no easier',
    post(clusterrolebindings(), binding('{other}', 'ClusterRole', 'lost-{other}', toBob)),
    giveHere([writesRoles], toBob),
    settled([post(roles(), role('a', asked[0]!), bob)]),
    post(roles(), role('a'), bob),
    post(rolebindings(), binding('a', 'ClusterRole', 'cluster-admin', toBob), bob),
    post(rolebindings(), binding('lost', 'Role', 'gone', toBob)),
    post(roles(), role('b', asked[0]!), bob),
  ),
  ask(
    'masters may give everything',
    post(clusterroles(), role('{other}', asked[13]!, askedOfPaths[4]!)),
    get(clusterroles('{other}')),
  ),
]);

function gathering(): JsonObject {
  return { clusterRoleSelectors: [{ matchLabels: { never: '{name}' } }] };
}

function without({ metadata: _metadata, ...rest }: JsonObject): JsonObject {
  return rest;
}
