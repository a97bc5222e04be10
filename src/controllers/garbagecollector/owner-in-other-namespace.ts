// garbage-collector-controller: finds owners in another namespace than their dependent, which is invalid.
import type { OwnerReference } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { Store } from '../../store/store.ts';
import { walk } from '../../store/walk.ts';
import { uidOf } from './owner-references.ts';

export async function existsInOtherNamespace(
  store: Store,
  kind: ServedResource,
  { name, uid }: OwnerReference,
): Promise<boolean> {
  let isFound = false;
  await walk(
    store,
    'namespaces/',
    ({ key }) => {
      const stored = isFound ? undefined : store.get(kind.key(key.slice('namespaces/'.length), name));
      isFound ||= stored !== undefined && uidOf(stored) === uid;
    },
    () => isFound,
  );
  return isFound;
}
