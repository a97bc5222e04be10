/**
 * Overlay of a past revision: all keys of a resource whose state has changed since.
 *
 * The pages of one list request the same revision repeatedly, with a few more changes each time: the overlay is kept
 * and only new changes are added.
 */

import type { Change, Revision } from '../store.ts';
import { compareKeys } from './runs-order.ts';

/** The part of a change that is needed to undo it. */
export interface PastEntry {
  readonly revision: Revision;
  readonly key: string;
  /** Whether the key existed before the change. */
  readonly existed: boolean;
  /** Whether the key exists after the change. */
  readonly exists: boolean;
}

export function entryOf({ revision, key, type }: Change): PastEntry {
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

export class Overlay {
  /** The requested revision. */
  readonly at: Revision;
  /** The latest revision added. */
  #seen: Revision;
  readonly #undos = new Map<string, Undo>();
  readonly #sorted: Undo[] = [];

  constructor(at: Revision) {
    this.at = at;
    this.#seen = at;
  }

  get seen(): Revision {
    return this.#seen;
  }

  /** Adds the entries from index `from` on, which follow the latest revision seen. */
  follow(entries: readonly PastEntry[], from: number): void {
    const oldLength = this.#sorted.length;
    for (let i = from; i < entries.length; i++) {
      const { key, revision, existed, exists } = entries[i]!;
      this.#seen = revision;
      const undo = this.#undos.get(key);
      if (undo) undo.exists = exists;
      else {
        const newUndo = { key, revision, existed, exists };
        this.#undos.set(key, newUndo);
        this.#sorted.push(newUndo);
      }
    }
    // Almost sorted already, which the sort exploits.
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
