import type { ObjectMeta, OwnerReference } from '../api-object.ts';

/** Drops owners that are listed twice. Answers with the warning that the client gets for it, if any. */
export function dropRepeatedOwners(meta: ObjectMeta, isPatched = false): string | undefined {
  const owners = meta.ownerReferences;
  if (!owners || owners.length < 2) return undefined;
  const kept = new Map<string, OwnerReference>();
  const repeated: string[] = [];
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
    if (kept.has(identity)) repeated.push(uid);
    else kept.set(identity, owner);
  }
  if (repeated.length === 0) return undefined;
  meta.ownerReferences = [...kept.values()];
  // What comes of a patch is looked at later than what was sent.
  const when = isPatched ? ' after mutating admission happens' : '';
  return (
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
    'and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ' +
    repeated.join(', ')
  );
}
