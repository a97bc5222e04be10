import type { JsonObject } from './case.ts';
import { exchange, type Server } from './client.ts';

const namespacedKinds = [
  '/api/v1/pods',
  '/api/v1/replicationcontrollers',
  '/api/v1/resourcequotas',
  '/api/v1/serviceaccounts',
  '/apis/apps/v1/daemonsets',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/apps/v1/statefulsets',
  '/apis/autoscaling/v2/horizontalpodautoscalers',
  '/apis/batch/v1/cronjobs',
  '/apis/batch/v1/jobs',
  '/apis/policy/v1/poddisruptionbudgets',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/api/v1/services',
  '/apis/discovery.k8s.io/v1/endpointslices',
  '/apis/networking.k8s.io/v1/ingresses',
  '/apis/networking.k8s.io/v1/networkpolicies',
  '/api/v1/persistentvolumeclaims',
  '/api/v1/podtemplates',
  '/apis/storage.k8s.io/v1/csistoragecapacities',
  '/api/v1/configmaps',
  '/api/v1/secrets',
  '/api/v1/limitranges',
  '/api/v1/endpoints',
  '/api/v1/events',
  '/apis/apps/v1/controllerrevisions',
  '/apis/coordination.k8s.io/v1/leases',
  '/apis/resource.k8s.io/v1beta1/resourceclaims',
  '/apis/resource.k8s.io/v1beta1/resourceclaimtemplates',
];

/** Cluster-scoped kinds that a case cannot always delete itself. */
const clusterKinds = [
  '/api/v1/nodes',
  '/api/v1/persistentvolumes',
  '/apis/networking.k8s.io/v1/servicecidrs',
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  '/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicies',
  '/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicybindings',
];

/** Deletes the cluster-scoped objects whose name starts with `prefix`: webhooks and policies affect the following cases. */
export async function removeClusterObjects(server: Server, prefix: string): Promise<void> {
  for (const kind of clusterKinds) {
    for (const item of await list(server, kind)) {
      const metadata = item.metadata as JsonObject;
      if (!String(metadata.name).startsWith(prefix)) continue;
      const path = `${kind}/${metadata.name}`;
      if (metadata.finalizers) {
        await call(server, 'PUT', path, { ...item, metadata: { ...metadata, finalizers: null } });
      }
      await call(server, 'DELETE', path);
    }
  }
}

/** Deletes the objects of a run on a shared server, with all namespaces whose name starts with `prefix`. */
export async function cleanUp(server: Server, prefix: string): Promise<void> {
  await removeClusterObjects(server, prefix);
  for (const kind of namespacedKinds) {
    for (const item of await list(server, kind)) {
      const { namespace, name, finalizers } = item.metadata as Record<string, string>;
      if (!namespace?.startsWith(prefix)) continue;
      const path = kind.replace(/(\w+)$/, `namespaces/${namespace}/$1/${name}`);
      if (finalizers) await call(server, 'PUT', path, without(item, 'finalizers'));
      await call(server, 'DELETE', `${path}?gracePeriodSeconds=0`);
    }
  }
  for (const namespace of await list(server, '/api/v1/namespaces')) {
    const { name } = namespace.metadata as Record<string, string>;
    if (!name?.startsWith(prefix)) continue;
    const path = `/api/v1/namespaces/${name}`;
    await call(server, 'DELETE', path);
    const doomed = JSON.parse((await call(server, 'GET', path)).body) as JsonObject;
    if (doomed.kind !== 'Namespace') continue;
    await call(server, 'PUT', path, without(doomed, 'finalizers'));
    await call(server, 'PUT', `${path}/finalize`, { ...without(doomed, 'finalizers'), spec: {} });
  }
}

function without(object: JsonObject, field: string): JsonObject {
  return {
    ...object,
    metadata: { ...(object.metadata as JsonObject), [field]: null, resourceVersion: null },
  };
}

async function list(server: Server, path: string): Promise<JsonObject[]> {
  const { status, body } = await call(server, 'GET', path);
  if (status !== 200) return [];
  return (JSON.parse(body) as { items?: JsonObject[] }).items ?? [];
}

function call(server: Server, method: string, path: string, object?: JsonObject) {
  const headers: Record<string, string> = { authorization: `Bearer ${server.token}` };
  if (!object) return exchange(server, { method, path, headers });
  headers['content-type'] = 'application/json';
  return exchange(server, { method, path, headers, body: Buffer.from(JSON.stringify(object)) });
}
