// Conflict scopes of a store that several threads write through.
import { type Change, type ConflictScope, type Revision, TransactionConflict } from '../store.ts';

export class ConflictScopes {
  /** By scope, the revision of its last write. */
  readonly #lastRevisions = new Map<string, Revision>();
  /** By scope, the last commit that was started. Never rejects. */
  readonly #lastCommits = new Map<string, Promise<unknown>>();

  /** Commits one write of a scope at a time. Rejects with TransactionConflict if the scope has a later write than the caller knew. */
  commit({ name, asOf }: ConflictScope, commit: () => Promise<Change>): Promise<Change> {
    const committing = (this.#lastCommits.get(name) ?? Promise.resolve()).then(async () => {
      if ((this.#lastRevisions.get(name) ?? 0) > asOf)
        throw new TransactionConflict(`a concurrent write of ${name} was committed first`);
      const change = await commit();
      this.#lastRevisions.set(name, change.revision);
      return change;
    });
    this.#lastCommits.set(
      name,
      committing.catch(() => {}),
    );
    return committing;
  }
}
