/**
 * Channel: watchers of the same scope (key prefix or key), selection and format, all at the head of the history.
 *
 * Invariants:
 * - Every member has been sent all events up to the last flush, and none of the pending ones.
 * - All members are sent the same buffer.
 * - No event of a channel is large: before such an event all members return to replay.
 */

import type { Selection } from '../selection.ts';
import type { Revision } from '../store.ts';
import type { WatchFormat } from './event.ts';
import type { Watcher } from './watcher.ts';

export class Channel {
  /** The hub's map key of this channel: a key prefix or a key. */
  readonly scope: string;
  /** Identifies the selection and the format within the scope. */
  readonly id: string;
  readonly format: WatchFormat;
  /** Cancels the bookmark timer. */
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

  /** Adds a watcher that has been sent everything up to the head, so no event may be pending. */
  join(watcher: Watcher): void {
    if (this.#pending.length > 0) throw new Error('a watcher would receive an event twice');
    this.#members.add(watcher);
  }

  leave(watcher: Watcher): void {
    this.#members.delete(watcher);
  }

  /** Sends the pending events, and removes all members. */
  dismiss(): Watcher[] {
    this.flush();
    const members = [...this.#members];
    this.#members.clear();
    return members;
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

  /** Sends a bookmark to the members that requested bookmarks; with `recipient`, to that one only. */
  bookmark(revision: Revision, recipient?: Watcher): void {
    // A bookmark promises that all events up to its revision have been sent.
    this.flush();
    const recipients = [...this.#members].filter(
      (member) => member.request.bookmarks && (recipient === undefined || recipient === member),
    );
    if (recipients.length === 0) return;
    const frame = this.format.bookmark(revision);
    for (const member of recipients) member.send(frame, 1);
  }

  fail(error: unknown): void {
    for (const member of [...this.#members]) member.end('failed', error);
  }
}
