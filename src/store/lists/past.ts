/**
 * What changed in one resource since some revision, so that a list can be answered as of then.
 *
 * Invariants:
 * - The entries are all changes of the resource in (start, now], in order; without a start there are none.
 * - Only keys and whether they existed are kept. The states themselves stay in the store's history, and are looked
 *   up there for the few objects that a page needs.
 * - Nobody asks for the past: after a while the log stops following and forgets.
 */

import type { Change, Revision, Store } from '../store.ts';
import { entryOf, Overlay, type PastEntry, type Undo } from './past-overlay.ts';
import type { RunSource } from './runs-object.ts';
import { overTurns } from './runs-turns.ts';

const MAX_ENTRIES = 100_000;
/** How often the log asks itself whether it is still needed. */
const CHECK_EVERY = 8_192;
const REVISIONS_PER_STEP = 4_096;
const MAX_OVERLAYS = 4;

export class PastLog {
  readonly #store: Store;
  readonly #prefix: string;
  #entries: PastEntry[] = [];
  /** What the latest lists of the past have worked out. */
  #overlays: Overlay[] = [];
  #start: Revision | undefined;
  #untilCheck = CHECK_EVERY;
  #used = false;

  constructor(store: Store, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /** Follows from the present on, if it does not yet: somebody has got a page and may ask for the next. */
  begin(present: Revision): void {
    this.#start ??= present;
    this.#used = true;
  }

  add(change: Change): void {
    if (this.#start === undefined || change.revision <= this.#start) return;
    this.#entries.push(entryOf(change));
    if (--this.#untilCheck === 0) this.#check();
  }

  /** Makes the log reach back to `at`. Nothing to wait for when it does already or the way is short. */
  reach(at: Revision, present: Revision): Promise<void> | undefined {
    this.begin(present);
    return overTurns(this.#reach(at)) ?? undefined;
  }

  /** The keys in (lower, upper) that are not as they were at `at`, in order. The log must reach that far. */
  since(at: Revision, lower: string, upper: string | undefined): Undo[] {
    let overlay = this.#overlays.find((candidate) => candidate.at === at);
    if (!overlay) {
      overlay = new Overlay(at);
      this.#overlays.unshift(overlay);
      this.#overlays.length = Math.min(this.#overlays.length, MAX_OVERLAYS);
    }
    overlay.follow(this.#entries, this.#firstAfter(overlay.seen));
    return overlay.between(lower, upper);
  }

  /** The states to put back. Throws Compacted when the history has been forgotten meanwhile. */
  restore(undos: readonly Undo[]): Map<string, RunSource | null> {
    const states = new Map<string, RunSource | null>();
    for (const undo of undos) states.set(undo.key, undo.existed ? this.#before(undo) : null);
    return states;
  }

  #before({ key, revision }: Undo): RunSource {
    for (const change of this.#store.history(this.#prefix, revision - 1, revision, key)) {
      if (change.previous) return change.previous;
    }
    throw new Error(`the history has no state of ${key} before revision ${revision}`);
  }

  *#reach(at: Revision): Generator<void, void, undefined> {
    const older: PastEntry[] = [];
    // Meanwhile another list may reach as far, or the log may stop.
    for (let read = at; this.#start !== undefined && read < this.#start; ) {
      const until = Math.min(read + REVISIONS_PER_STEP, this.#start);
      for (const change of this.#store.history(this.#prefix, read, until)) older.push(entryOf(change));
      read = until;
      if (read < this.#start) yield;
    }
    const start = this.#start;
    if (start === undefined || start <= at) return;
    this.#entries = older.filter((entry) => entry.revision <= start).concat(this.#entries);
    this.#start = at;
  }

  #check(): void {
    this.#untilCheck = CHECK_EVERY;
    if (!this.#used) {
      this.#entries = [];
      this.#overlays = [];
      this.#start = undefined;
      return;
    }
    this.#used = false;
    this.#forget(this.#store.compacted);
    if (this.#entries.length > MAX_ENTRIES) this.#forget(this.#entries[this.#entries.length >> 1]!.revision);
  }

  #forget(revision: Revision): void {
    if (this.#start === undefined || revision <= this.#start) return;
    this.#entries = this.#entries.slice(this.#firstAfter(revision));
    this.#overlays = this.#overlays.filter((overlay) => overlay.at >= revision);
    this.#start = revision;
  }

  #firstAfter(revision: Revision): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#entries[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
