// A list of some megabytes, for clients that do not read it.

import type { Server } from '../parity/client.ts';
import type { Undo } from '../parity/servers.ts';
import { send, setUp } from './client.ts';

const objects = 80;
const objectBytes = 100_000;

/** Creates the objects; resolves to the path of their list. */
export async function createLargeList(server: Server, namespace: string, undo: Undo): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}`;
  undo.push(async () => {
    await send(server, 'DELETE', `${path}/configmaps`);
    await send(server, 'DELETE', path);
  });
  await setUp(server, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const data = { key: 'x'.repeat(objectBytes) };
  for (let index = 0; index < objects; index++) {
    await setUp(server, 'POST', `${path}/configmaps`, { metadata: { name: `large-${index}` }, data });
  }
  return `${path}/configmaps`;
}
