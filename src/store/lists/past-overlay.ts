/**
 * All keys of a resource that are not as they were at one revision.
 *
 * The pages of one list ask for the same revision again and again, with some more changes each time: what is known
 * is kept, and only the new changes are worked in.
 */

import type { Change, Revision } from '../store.ts';
import { compareKeys } from './runs-order.ts';

/** One change, as much as is needed to undo it. */
export interface PastEntry {
  readonly revision: Revision;
  readonly key: string;
  readonly existed: boolean;
  readonly exists: boolean;
}

export function entryOf({ revision, key, type }: Change): PastEntry {
  return { revision, key, existed: type !== 'created', exists: type !== 'deleted' };
}

/** How to get one key back to what it was. */
export interface Undo {
  readonly key: string;
  /** Its first change since; the state before that one is the state asked for. */
  readonly revision: Revision;
  readonly existed: boolean;
  /** Whether it exists at present. */
  exists: boolean;
}

export class Overlay {
  readonly at: Revision;
  /** The last change worked in. */
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

  /** Works in the entries from `from` on, which follow what it has seen. */
  follow(entries: readonly PastEntry[], from: number): void {
    const known = this.#sorted.length;
    for (let i = from; i < entries.length; i++) {
      const { key, revision, existed, exists } = entries[i]!;
      this.#seen = revision;
      const undo = this.#undos.get(key);
      if (undo) undo.exists = exists;
      else {
        const first = { key, revision, existed, exists };
        this.#undos.set(key, first);
        this.#sorted.push(first);
      }
    }
    // Nearly in order already, which sorting makes good use of.
    if (this.#sorted.length > known) this.#sorted.sort((a, b) => compareKeys(a.key, b.key));
  }

  /** The keys in (lower, upper) that must be undone, in order. */
  between(lower: string, upper: string | undefined): Undo[] {
    const undos: Undo[] = [];
    for (let i = this.#firstAfter(lower); i < this.#sorted.length; i++) {
      const undo = this.#sorted[i]!;
      if (upper !== undefined && compareKeys(undo.key, upper) >= 0) break;
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
