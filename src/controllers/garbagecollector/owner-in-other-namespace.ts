// garbage-collector-controller: finds owners in another namespace than their dependent, which is invalid.
import type { Lister } from '../../client/lister.ts';
import type { OwnerReference } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { ResourceMonitor } from '../runtime/resource-monitor.ts';
import { uidOf } from './owner-references.ts';

/** Whether an object of the owner's name and uid exists in any namespace. The caller did not find it in the dependent's. */
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
      if (isFound) return;
      const owner = monitor.get(kind.key(namespace.name, name));
      isFound = owner !== undefined && uidOf(owner) === uid;
    },
    () => isFound,
  );
  return isFound;
}
