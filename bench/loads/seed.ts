// Creates the objects that the benchmark loads read and write.
import { deployment, deploymentsPath, initialTag, workloadNamespace } from '../deployments.ts';
import { configMap, configMapsOf, namespaceBody, selectedConfigMap, tickOf } from '../objects.ts';
import type { Progress } from '../progress.ts';
import type { Side } from '../sides/side.ts';
import { ApiClient } from './api-client.ts';
import { lease } from './http2/workloads.ts';

const connections = 64;

/** Creates the namespace and `count` ConfigMaps in it. */
export async function seed(side: Side, namespace: string, count: number, progress: Progress): Promise<void> {
  await fill(side, namespace, count, progress, (client, index) =>
    client.expect([201], 'POST', configMapsOf(namespace), configMap(index, tickOf(0, 0))),
  );
}

/** Creates the namespace and `count` ConfigMaps, each of which one watch with a selector selects. */
export async function seedSelected(
  side: Side,
  namespace: string,
  count: number,
  progress: Progress,
): Promise<void> {
  await fill(side, namespace, count, progress, (client, index) =>
    client.expect([201], 'POST', configMapsOf(namespace), selectedConfigMap(index, tickOf(0, 0))),
  );
}

/** Creates the namespace and `count` Leases, as nodes have. */
export async function seedLeases(
  side: Side,
  namespace: string,
  count: number,
  progress: Progress,
): Promise<void> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  await fill(side, namespace, count, progress, (client, index) =>
    client.expect([201], 'POST', path, lease(index, 0)),
  );
}

/** Creates a namespace for pods. Their service account is created by a controller, which the reference does not run. */
export async function seedPodNamespace(side: Side, namespace: string, progress: Progress): Promise<void> {
  const account = JSON.stringify({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  await fill(side, namespace, 1, progress, (client) =>
    client.expect([201, 409], 'POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, account),
  );
}

/** The field manager and media type of server-side apply. */
export const applyRequest = {
  query: 'fieldManager=bench',
  contentType: 'application/apply-patch+yaml',
} as const;

/** Creates `count` Deployments with server-side apply. */
export async function seedDeployments(
  side: Side,
  nameOf: (index: number) => string,
  count: number,
  progress: Progress,
): Promise<void> {
  await fill(side, workloadNamespace, count, progress, (client, index) => {
    const name = nameOf(index);
    const body = deployment(name, initialTag);
    return client.expect([201], 'PATCH', `${deploymentsPath}/${name}?${applyRequest.query}`, body, {
      'content-type': applyRequest.contentType,
    });
  });
}

async function fill(
  side: Side,
  namespace: string,
  count: number,
  progress: Progress,
  write: (client: ApiClient, index: number) => Promise<unknown>,
): Promise<void> {
  const client = new ApiClient(side, connections);
  try {
    await client.expect([201, 409], 'POST', '/api/v1/namespaces', namespaceBody(namespace));
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count) {
        const index = next++;
        await write(client, index);
        if (index % 500 === 0) progress.update(`${side.title}: writing objects,`, index, count);
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
  } finally {
    client.close();
  }
}
