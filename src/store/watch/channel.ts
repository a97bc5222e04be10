/**
 * Watchers of the same objects in the same format, all at the head of the history.
 *
 * Invariants:
 * - Every member has been sent all events up to the last flush, and none of those that are pending.
 * - What members are sent is one and the same buffer.
 */

import type { Selection } from '../selection.ts';
import type { Revision } from '../store.ts';
import type { WatchFormat } from './event.ts';
import type { Watcher } from './watcher.ts';

export class Channel {
  /** Where the hub keeps it. */
  readonly scope: string;
  readonly id: string;
  readonly format: WatchFormat;
  /** Calls off the next bookmark. */
  stopBookmarks: () => void = () => {};
  readonly select: Selection | undefined;
  readonly #members = new Set<Watcher>();
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(scope: string, id: string, format: WatchFormat, select: Selection | undefined) {
    this.scope = scope;
    this.id = id;
    this.format = format;
    this.select = select;
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Takes in a watcher that has been sent everything up to now, so nothing may be pending. */
  join(watcher: Watcher): void {
    if (this.#pending.length > 0) throw new Error('a watcher would receive an event twice');
    this.#members.add(watcher);
  }

  leave(watcher: Watcher): void {
    this.#members.delete(watcher);
  }

  push(frame: Buffer): void {
    this.#pending.push(frame);
    this.#pendingBytes += frame.length;
  }

  flush(): void {
    const frames = this.#pending;
    if (frames.length === 0) return;
    const bytes = frames.length === 1 ? frames[0]! : Buffer.concat(frames, this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    for (const member of this.#members) member.send(bytes, frames.length);
  }

  /** Tells those who asked for bookmarks, or one of them, how far they have come. */
  bookmark(revision: Revision, only?: Watcher): void {
    this.flush();
    const told = [...this.#members].filter(
      (member) => member.request.bookmarks && (only ?? member) === member,
    );
    if (told.length === 0) return;
    const frame = this.format.bookmark(revision, false);
    for (const member of told) member.send(frame, 1);
  }

  fail(error: unknown): void {
    for (const member of [...this.#members]) member.end('failed', error);
  }
}
