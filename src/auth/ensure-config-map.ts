// Creates or updates a ConfigMap that the server maintains in the system namespace.
import type { Client } from '../client/client.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';

type Data = Readonly<Record<string, string>>;

/** `update` returns the desired data; it gets the current data, or {} if the ConfigMap does not exist. */
export async function ensureConfigMap(
  client: Client,
  dialect: Dialect,
  name: string,
  update: (data: Data) => Data,
): Promise<void> {
  const type = { apiVersion: 'v1', kind: 'ConfigMap' };
  const metadata = { namespace: dialect.systemNamespace, name };
  let existing: ApiObject;
  try {
    existing = await client.get({ ...type, ...metadata });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
    await ignoreConflict(client.create({ ...type, metadata, data: update({}) }));
    return;
  }
  const data = update((existing.data ?? {}) as Data);
  // An update without changes writes nothing.
  await ignoreConflict(client.update({ ...existing, data }));
}

/** Another replica may have written the ConfigMap concurrently. */
async function ignoreConflict(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 409 || error.code === 404))) throw error;
  }
}
