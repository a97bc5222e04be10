/**
 * Overlay of a past revision: how to restore all keys of a resource whose state has changed since.
 *
 * The pages of one list request the same revision repeatedly, with a few more changes each time: the log (past-log.ts)
 * keeps the overlay, and adds only new changes to it.
 */

import type { Change, Revision } from '../store.ts';
import { compareKeys } from './key-order.ts';

/** The part of a change that is needed to undo it. */
export interface PastEntry {
  readonly revision: Revision;
  readonly key: string;
  /** Whether the key existed before the change. */
  readonly existed: boolean;
  /** Whether the key exists after the change. */
  readonly exists: boolean;
}

export function toPastEntry({ revision, key, type }: Change): PastEntry {
  return { revision, key, existed: type !== 'created', exists: type !== 'deleted' };
}

/** How to restore one key to its state at the requested revision. */
export interface Undo {
  readonly key: string;
  /** The key's first change since; the state before that change is the requested one. */
  readonly revision: Revision;
  /** Whether the key existed at the requested revision. */
  readonly existed: boolean;
  /** Whether the key exists now. */
  exists: boolean;
}

export class PastOverlay {
  /** The requested revision. */
  readonly revision: Revision;
  /** The last revision whose change is included. */
  #lastRevision: Revision;
  readonly #byKey = new Map<string, Undo>();
  /** The same undos in key order. */
  readonly #sorted: Undo[] = [];

  constructor(revision: Revision) {
    this.revision = revision;
    this.#lastRevision = revision;
  }

  get lastRevision(): Revision {
    return this.#lastRevision;
  }

  /** Adds the entries from index `from` on, which follow `lastRevision`. */
  append(entries: readonly PastEntry[], from: number): void {
    const oldLength = this.#sorted.length;
    for (let i = from; i < entries.length; i++) {
      const { key, revision, existed, exists } = entries[i]!;
      this.#lastRevision = revision;
      const undo = this.#byKey.get(key);
      if (undo) undo.exists = exists;
      else {
        const newUndo = { key, revision, existed, exists };
        this.#byKey.set(key, newUndo);
        this.#sorted.push(newUndo);
      }
    }
    // The array is almost sorted already, which the sort exploits.
    if (this.#sorted.length > oldLength) this.#sorted.sort((a, b) => compareKeys(a.key, b.key));
  }

  /** The keys in (lower, upper) that must be undone, in key order. */
  between(lower: string, upper: string | undefined): Undo[] {
    const undos: Undo[] = [];
    for (let i = this.#firstAfter(lower); i < this.#sorted.length; i++) {
      const undo = this.#sorted[i]!;
      if (upper !== undefined && compareKeys(undo.key, upper) >= 0) break;
      // A key that was created and deleted since needs no undo.
      if (undo.existed || undo.exists) undos.push(undo);
    }
    return undos;
  }

  #firstAfter(key: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareKeys(this.#sorted[middle]!.key, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
