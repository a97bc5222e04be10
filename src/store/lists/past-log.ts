/**
 * Change log of one resource, for consistent pagination and lists at an exact past revision.
 *
 * A list at a past revision is the current state with the changes since then undone. This log says which keys have
 * changed.
 *
 * Invariants:
 * - The entries are all changes of the resource after `start`, in order; without a start nothing is recorded.
 * - Entries hold keys and existence only. Object states stay in the store's history and are looked up for the few
 *   objects that a page needs.
 * - A log that no list uses stops recording after a while and is cleared.
 */

import type { Change, Revision, Store } from '../store.ts';
import type { RunSource } from './listed-object.ts';
import { type PastEntry, PastOverlay, toPastEntry, type Undo } from './past-overlay.ts';
import { runCooperatively } from './run-cooperatively.ts';

const MAX_ENTRIES = 100_000;
/** Number of changes between two checks whether the log is still in use. */
const CHANGES_PER_CHECK = 8_192;
/** Revisions of the store's history that are read per turn of the event loop. */
const REVISIONS_PER_STEP = 4_096;
const MAX_OVERLAYS = 4;

export class PastLog {
  readonly #store: Store;
  readonly #prefix: string;
  #entries: PastEntry[] = [];
  /** Overlays of the most recently requested past revisions. */
  #overlays: PastOverlay[] = [];
  /** The entries are complete after this revision; undefined while nothing is recorded. */
  #start: Revision | undefined;
  #changesUntilCheck = CHANGES_PER_CHECK;
  /** Whether a list has used the log since the last check. */
  #used = false;

  constructor(store: Store, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /** Starts recording at the current revision, unless it has: a client got a page and may request the next one. */
  startRecording(current: Revision): void {
    this.#start ??= current;
    this.#used = true;
  }

  add(change: Change): void {
    if (this.#start === undefined || change.revision <= this.#start) return;
    this.#entries.push(toPastEntry(change));
    if (--this.#changesUntilCheck === 0) this.#discardUnneeded();
  }

  /**
   * Extends the log back to a past revision. Returns undefined if that is done at once: the log already reaches that
   * far, or the extension is short.
   */
  extendBackTo(past: Revision, current: Revision): Promise<void> | undefined {
    this.startRecording(current);
    return runCooperatively(this.#extendBackTo(past)) ?? undefined;
  }

  /** The undos of the keys in (lower, upper) that have changed since, in key order. The log must reach back that far. */
  undosSince(past: Revision, lower: string, upper: string | undefined): Undo[] {
    let overlay = this.#overlays.find((candidate) => candidate.revision === past);
    if (!overlay) {
      overlay = new PastOverlay(past);
      this.#overlays.unshift(overlay);
      this.#overlays.length = Math.min(this.#overlays.length, MAX_OVERLAYS);
    }
    overlay.append(this.#entries, this.#firstAfter(overlay.lastRevision));
    return overlay.between(lower, upper);
  }

  /** The states to restore, by key; null if the key did not exist. Throws Compacted if the history was compacted. */
  readPastStates(undos: readonly Undo[]): Map<string, RunSource | null> {
    const states = new Map<string, RunSource | null>();
    for (const undo of undos) states.set(undo.key, undo.existed ? this.#stateBefore(undo) : null);
    return states;
  }

  #stateBefore({ key, revision }: Undo): RunSource {
    for (const change of this.#store.history(this.#prefix, revision - 1, revision, key)) {
      if (change.previous) return change.previous;
    }
    throw new Error(`the history has no state of ${key} before revision ${revision}`);
  }

  *#extendBackTo(past: Revision): Generator<void, void, undefined> {
    const older: PastEntry[] = [];
    // Between steps another list may extend the log as far, or the log may be cleared.
    for (let readUpTo = past; this.#start !== undefined && readUpTo < this.#start; ) {
      const until = Math.min(readUpTo + REVISIONS_PER_STEP, this.#start);
      for (const change of this.#store.history(this.#prefix, readUpTo, until))
        older.push(toPastEntry(change));
      readUpTo = until;
      if (readUpTo < this.#start) yield;
    }
    const start = this.#start;
    if (start === undefined || start <= past) return;
    this.#entries = older.filter((entry) => entry.revision <= start).concat(this.#entries);
    this.#start = past;
  }

  /** Clears a log that no list has used since the last check; otherwise bounds its length. */
  #discardUnneeded(): void {
    this.#changesUntilCheck = CHANGES_PER_CHECK;
    if (!this.#used) {
      this.#entries = [];
      this.#overlays = [];
      this.#start = undefined;
      return;
    }
    this.#used = false;
    this.#discardUpTo(this.#store.compacted);
    if (this.#entries.length <= MAX_ENTRIES) return;
    const middle = this.#entries[this.#entries.length >> 1]!;
    this.#discardUpTo(middle.revision);
  }

  #discardUpTo(revision: Revision): void {
    if (this.#start === undefined || revision <= this.#start) return;
    this.#entries = this.#entries.slice(this.#firstAfter(revision));
    this.#overlays = this.#overlays.filter((overlay) => overlay.revision >= revision);
    this.#start = revision;
  }

  /** Index of the first entry after a revision. */
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
