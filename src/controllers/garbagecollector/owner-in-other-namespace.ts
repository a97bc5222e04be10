// garbage-collector-controller: finds owners in another namespace than their dependent, which is invalid.
import type { Lister } from '../../client/lister.ts';
import type { OwnerReference } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { ResourceMonitor } from '../runtime/resource-monitor.ts';
import { uidOf } from './owner-references.ts';

export async function existsInOtherNamespace(
  monitor: ResourceMonitor,
  namespaces: Lister<unknown>,
  kind: ServedResource,
  { name, uid }: OwnerReference,
): Promise<boolean> {
  let isFound = false;
  await namespaces.walk(
    '',
    (namespace) => {
      const owner = isFound ? undefined : monitor.get(kind.key(namespace.name, name));
      isFound ||= owner !== undefined && uidOf(owner) === uid;
    },
    () => isFound,
  );
  return isFound;
}
