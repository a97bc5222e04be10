import { ApiError } from '../errors/status.ts';
import type { Api } from './api.ts';
import { create } from './create.ts';
import { plainWrite } from './options/write-options.ts';
import { complete } from './read-body.ts';

/** Makes the namespaces that are always there, where they are missing. */
export async function ensureSystemNamespaces(api: Api): Promise<void> {
  const resource = api.registry.kind('', 'v1', 'namespaces');
  const target = { resource, namespace: '', name: '', subresource: '' };
  await Promise.all(
    api.dialect.systemNamespaces.map(async (name) => {
      if (api.store.get(resource.key('', name))) return;
      const object = resource.definition.schema.zero();
      object.metadata.name = name;
      complete(resource, object, []);
      try {
        await create(api, target, { object }, plainWrite, []);
      } catch (error) {
        // Another replica may have been faster.
        if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
      }
    }),
  );
}
