import type { Client } from '../client/client.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';

type Data = Readonly<Record<string, string>>;

/** Makes a ConfigMap of the server's own, or brings the one that is there up to date. */
export async function ensureConfigMap(
  client: Client,
  dialect: Dialect,
  name: string,
  improve: (data: Data) => Data,
): Promise<void> {
  const key = { apiVersion: 'v1', kind: 'ConfigMap' };
  const metadata = { namespace: dialect.systemNamespace, name };
  let found: ApiObject;
  try {
    found = await client.get({ ...key, ...metadata });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
    await unlessOutrun(client.create({ ...key, metadata, data: improve({}) }));
    return;
  }
  const data = improve((found.data ?? {}) as Data);
  // What is the same is not written.
  await unlessOutrun(client.update({ ...found, data }));
}

/** Another replica may have been faster. */
async function unlessOutrun(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 409 || error.code === 404))) throw error;
  }
}
