// Objects that exist before the first request: system namespaces and priority classes.
import { systemClasses } from '../apis/scheduling/priorityclass.ts';
import { ApiError } from '../errors/status.ts';
import type { ServedResource } from '../kind/registry.ts';
import { defaultWriteOptions } from '../registry/options/write-options.ts';
import type { VerbContext } from '../registry/verb-context.ts';
import { create } from '../registry/verbs/create.ts';
import { applyDefaults } from '../registry/write/decode.ts';

export async function ensureSystemNamespaces(api: VerbContext): Promise<void> {
  const resource = api.registry.kind('', 'v1', 'namespaces');
  await Promise.all(api.dialect.systemNamespaces.map((name) => createIfMissing(api, resource, name, {})));
}

/** Does nothing if the kind is not served. */
export async function ensureSystemPriorityClasses(api: VerbContext): Promise<void> {
  const { dialect, registry } = api;
  const resource = registry.find(dialect.groupName('scheduling'), 'v1', 'priorityclasses');
  if (!resource) return;
  await Promise.all(
    Object.entries(systemClasses).map(([name, value]) =>
      createIfMissing(api, resource, name, { value, description: priorityClassDescriptions[name] }),
    ),
  );
}

/** Upstream's texts. */
const priorityClassDescriptions: Readonly<Record<string, string>> = {
  'system-cluster-critical':
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  'system-node-critical': 'Used for system critical pods that must not be moved from their current node.',
};

async function createIfMissing(
  api: VerbContext,
  resource: ServedResource,
  name: string,
  fields: object,
): Promise<void> {
  if (api.store.get(resource.key('', name))) return;
  const object = Object.assign(resource.definition.schema.zero(), fields);
  object.metadata.name = name;
  applyDefaults(resource, object, []);
  const target = { resource, namespace: '', name: '', subresource: '' };
  try {
    await create(api, target, { object }, defaultWriteOptions, []);
  } catch (error) {
    // Another replica created it concurrently.
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
  }
}
