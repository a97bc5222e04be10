import type { Api } from '../../controllers/kube-controller-manager/api.ts';

const rbac = 'rbac.authorization.k8s.io';
export const namespace = 'wardle';
const account = 'apiserver';

/** The service account of an extension API server, with the permissions that Kubernetes' example grants. */
export async function grantPermissions(api: Api): Promise<string> {
  await api.create('api/v1 namespaces', '', { metadata: { name: namespace } });
  await api.create('api/v1 serviceaccounts', namespace, { metadata: { name: account } });
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace }];
  const clusterRole = (name: string) => ({ apiGroup: rbac, kind: 'ClusterRole', name });
  await api.create(`apis/${rbac}/v1 clusterroles`, '', {
    metadata: { name: 'aggregated-apiserver' },
    rules: [
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'watch', 'list'] },
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['*'],
        verbs: ['get', 'watch', 'list'],
      },
      {
        apiGroups: ['flowcontrol.apiserver.k8s.io'],
        resources: ['prioritylevelconfigurations', 'flowschemas'],
        verbs: ['get', 'list', 'watch'],
      },
    ],
  });
  const bindings = ['aggregated-apiserver', 'system:auth-delegator'];
  for (const [index, name] of bindings.entries()) {
    await api.create(`apis/${rbac}/v1 clusterrolebindings`, '', {
      metadata: { name: `wardle-${index}` },
      roleRef: clusterRole(name),
      subjects,
    });
  }
  await api.create(`apis/${rbac}/v1 rolebindings`, 'kube-system', {
    metadata: { name: 'wardle-auth-reader' },
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    subjects,
  });
  const { status } = await api.post('api/v1 serviceaccounts', namespace, account, 'token', {
    spec: { expirationSeconds: 3600 },
  });
  return (status as { token: string }).token;
}

/** Grants all verbs on the resources of a group. */
export async function allowAllVerbs(api: Api, user: string, group: string): Promise<void> {
  await api.create(`apis/${rbac}/v1 clusterroles`, '', {
    metadata: { name: `everything-${group}` },
    rules: [{ apiGroups: [group], resources: ['*'], verbs: ['*'] }],
  });
  await api.create(`apis/${rbac}/v1 clusterrolebindings`, '', {
    metadata: { name: `everything-${group}` },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: `everything-${group}` },
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  });
}
