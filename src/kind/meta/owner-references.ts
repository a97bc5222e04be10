// Deduplication of metadata.ownerReferences (upstream: dedupOwnerReferencesAndAddWarning).

import type { ObjectMetadata, OwnerReference } from '../api-object.ts';

/** Removes duplicate owner references. Returns the warning for the client, if there were any. */
export function dedupOwnerReferences(meta: ObjectMetadata, isPatched = false): string | undefined {
  const owners = meta.ownerReferences;
  if (!owners || owners.length < 2) return undefined;
  const kept = new Map<string, OwnerReference>();
  const duplicateUids: string[] = [];
  for (const owner of owners) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
    const identity = JSON.stringify([
      apiVersion,
      kind,
      name,
      uid,
      controller ?? null,
      blockOwnerDeletion ?? null,
    ]);
    if (kept.has(identity)) duplicateUids.push(uid);
    else kept.set(identity, owner);
  }
  if (duplicateUids.length === 0) return undefined;
  meta.ownerReferences = [...kept.values()];
  // The object of a patch exists only after mutating admission; the warning says so.
  const when = isPatched ? ' after mutating admission happens' : '';
  return (
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
    'and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ' +
    duplicateUids.join(', ')
  );
}
