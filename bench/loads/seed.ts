import { deployment, deploymentsPath, firstMark, workloadNamespace } from '../deployments.ts';
import { configMap, configMapsOf, namespaceBody, tickOf } from '../objects.ts';
import type { Progress } from '../progress.ts';
import type { Side } from '../sides/side.ts';
import { ApiClient } from './api-client.ts';

const connections = 64;

/** Makes the namespace and `count` ConfigMaps in it. */
export async function seed(side: Side, namespace: string, count: number, progress: Progress): Promise<void> {
  await fill(side, namespace, count, progress, (client, index) =>
    client.expect([201], 'POST', configMapsOf(namespace), configMap(index, tickOf(0, 0))),
  );
}

/** Who applies the Deployments. */
export const applied = { query: 'fieldManager=bench', contentType: 'application/apply-patch+yaml' } as const;

/** Applies `count` Deployments that did not exist. */
export async function seedDeployments(
  side: Side,
  nameOf: (index: number) => string,
  count: number,
  progress: Progress,
): Promise<void> {
  await fill(side, workloadNamespace, count, progress, (client, index) => {
    const name = nameOf(index);
    const body = deployment(name, firstMark);
    return client.expect([201], 'PATCH', `${deploymentsPath}/${name}?${applied.query}`, body, {
      'content-type': applied.contentType,
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
    const lane = async (): Promise<void> => {
      while (next < count) {
        const index = next++;
        await write(client, index);
        if (index % 500 === 0) progress.part(`${side.title}: writing objects,`, index, count);
      }
    };
    await Promise.all(Array.from({ length: connections }, lane));
  } finally {
    client.close();
  }
}
