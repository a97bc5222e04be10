import { type JsonObject, subject } from '../case.ts';
import { lifecycle } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const group = 'rbac.authorization.k8s.io';
const roles = paths(`/apis/${group}/v1/namespaces/{ns}/roles`);
const clusterroles = paths(`/apis/${group}/v1/clusterroles`);
const rolebindings = paths(`/apis/${group}/v1/namespaces/{ns}/rolebindings`);
const clusterrolebindings = paths(`/apis/${group}/v1/clusterrolebindings`);

const rule = { verbs: ['get', 'list'], apiGroups: ['', 'apps'], resources: ['pods', 'pods/status'] };
const withRules = (...rules: JsonObject[]) => object('r', { rules });
const roleRef = { apiGroup: group, kind: 'Role', name: 'r' };
const clusterRoleRef = { ...roleRef, kind: 'ClusterRole' };

const rules = {
  'rules need verbs, groups and resources': [
    withRules({}),
    withRules({ verbs: ['get'] }),
    withRules({ verbs: ['get'], apiGroups: [''] }),
    withRules({ verbs: ['get'], resources: ['x'] }),
    withRules({ verbs: [], apiGroups: [''], resources: ['x'] }),
    withRules(rule, { ...rule, resources: [] }),
  ],
  'paths that are no resource': [
    withRules({ verbs: ['get'], nonResourceURLs: ['/healthz', '/x/*'] }),
    withRules({ ...rule, nonResourceURLs: ['/x'] }),
    withRules({ verbs: ['get'], nonResourceURLs: ['/x'], resourceNames: ['a'] }),
    withRules({ verbs: ['get'], nonResourceURLs: ['*'] }),
  ],
  'names are hardly restricted': [object('A b'), object('a:b'), object('a/b'), object('..'), object('a%b')],
  'no rules at all': [object('r'), object('r', { rules: null }), object('r', { rules: [] })],
};

const bindings = (ref: JsonObject) => {
  const bound = (...subjects: JsonObject[]) => object('b', { roleRef: ref, subjects });
  return {
    'the role': [
      object('b'),
      object('b', { roleRef: { kind: ref.kind!, name: 'r' } }),
      object('b', { roleRef: { ...ref, apiGroup: 'x' } }),
      object('b', { roleRef: { ...ref, kind: 'Other' } }),
      object('b', { roleRef: { ...ref, name: '' } }),
      object('b', { roleRef: { ...ref, name: 'a/b' } }),
      object('b', { roleRef }),
    ],
    subjects: [
      bound({}),
      bound({ kind: 'User', name: 'u' }, { kind: 'Group', name: 'g' }),
      bound({ kind: 'ServiceAccount', name: 's' }),
      bound({ kind: 'ServiceAccount', name: 's', namespace: 'n' }),
      bound({ kind: 'ServiceAccount', name: 'S_', namespace: 'n', apiGroup: 'x' }),
      bound({ kind: 'User', name: 'u', apiGroup: 'x' }, { kind: 'Group', name: 'u', apiGroup: 'x' }),
      bound({ kind: 'Other', name: 'u' }),
    ],
  };
};

const selecting = (...clusterRoleSelectors: JsonObject[]) =>
  object('{name}', { aggregationRule: { clusterRoleSelectors } });

export const rbac = [
  subject('roles', [
    ...lifecycle(roles, object('r'), {
      full: object('full', { rules: [{ ...rule, resourceNames: ['a'] }] }),
      change: { rules: [rule] },
    }),
    ...tries(roles, rules),
  ]),
  subject('clusterroles', [
    ...lifecycle(clusterroles, object('{name}'), {
      full: object('{other}', {
        rules: [rule, { verbs: ['get'], nonResourceURLs: ['/metrics'] }],
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { never: 'there' } }] },
      }),
      change: { rules: [rule] },
    }),
    ...tries(clusterroles, {
      ...rules,
      'gathering rules': [
        object('{name}', { aggregationRule: {} }),
        selecting(),
        selecting({ matchLabels: { a: 'b' } }),
        selecting({ matchLabels: { 'a b': 'b' } }, { matchExpressions: [{ key: 'a', operator: 'In' }] }),
      ],
    }),
  ]),
  subject('rolebindings', [
    ...lifecycle(rolebindings, object('b', { roleRef }), {
      full: object('full', { roleRef: clusterRoleRef, subjects: [{ kind: 'User', name: 'u' }] }),
      change: { subjects: [{ kind: 'Group', name: 'g' }] },
    }),
    ...lifecycle(rolebindings, object('b', { roleRef }), {
      name: 'another role',
      change: { roleRef: { ...roleRef, name: 'other' } },
    }).slice(1, 2),
    ...tries(rolebindings, bindings(roleRef)),
  ]),
  subject('clusterrolebindings', [
    ...lifecycle(clusterrolebindings, object('{name}', { roleRef: clusterRoleRef }), {
      full: object('{other}', { roleRef: clusterRoleRef, subjects: [{ kind: 'User', name: 'u' }] }),
      change: { subjects: [{ kind: 'Group', name: 'g' }] },
    }),
    ...tries(clusterrolebindings, bindings(clusterRoleRef)),
  ]),
];
