// ControllerRevision: which old revisions exceed revisionHistoryLimit.

/** Revisions in use are not deleted and do not count. `revisions` are in order, oldest first. */
export function revisionsToDelete<R>(
  revisions: readonly R[],
  isInUse: (revision: R) => boolean,
  limit: number,
): R[] {
  const unused = revisions.filter((revision) => !isInUse(revision));
  return unused.slice(0, Math.max(0, unused.length - limit));
}
