/**
 * Watch replay: brings watchers from their start revision to the head of the history, in small steps.
 *
 * Invariants:
 * - A watcher is sent every event after its start exactly once and in order, whatever is written meanwhile: replay
 *   continues from the watcher's own position and hands it over in the same turn in which that position is the head.
 * - A step is small, and a turn of the event loop runs few steps, however many watchers there are.
 * - Backpressure: replay pauses while a watcher's sink is full, and buffers nothing for a client that does not read.
 */
import type { Clock } from '../../base/clock.ts';
import type { ListPage } from '../lists/runs-page.ts';
import { type Change, Compacted, type Revision, type Store } from '../store.ts';
import { eventObject, eventType } from './event.ts';
import type { Watcher } from './watcher.ts';

const STEPS_PER_TURN = 16;
const REVISIONS_PER_STEP = 4_000;
const BYTES_PER_STEP = 64 * 1024;
const BATCHES_PER_STEP = 64;
/** Bytes that a sink may buffer before replay pauses, and the length of a pause. */
const MAX_AHEAD = 1024 * 1024;
const PAUSE_MS = 20;

/** An iteration over history up to a revision, kept between steps. */
interface HistoryCursor {
  readonly changes: Iterator<Change>;
  readonly until: Revision;
}

type Outcome = 'more' | 'paused' | 'future' | 'caughtUp';

export interface WatchReplayOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Time limit for sending the initial state of a watch, in milliseconds. */
  readonly initialMs: number;
  /** The latest revision that the hub has dispatched. */
  readonly head: () => Revision;
  /** Takes over a watcher whose position is the head. */
  readonly onCaughtUp: (watcher: Watcher) => void;
}

export class WatchReplay {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #initialMs: number;
  readonly #head: () => Revision;
  readonly #onCaughtUp: (watcher: Watcher) => void;
  #queue: Watcher[] = [];
  #paused: Watcher[] = [];
  readonly #future = new Set<Watcher>();
  readonly #initial = new Map<Watcher, Iterator<void, void>>();
  readonly #replays = new Map<Watcher, HistoryCursor>();
  #scheduled = false;
  #stopPause: (() => void) | undefined;

  constructor(options: WatchReplayOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#initialMs = options.initialMs;
    this.#head = options.head;
    this.#onCaughtUp = options.onCaughtUp;
  }

  start(watcher: Watcher): void {
    const { start } = watcher.request;
    watcher.cleanUps.push(() => {
      this.#future.delete(watcher);
      this.#replays.delete(watcher);
    });
    if (typeof start === 'object' && 'page' in start) {
      const { page, announceEnd } = start;
      watcher.position = page.revision;
      this.#initial.set(watcher, initialEvents(watcher, page, announceEnd));
      const stopWaiting = this.#clock.after(this.#initialMs, () => {
        if (this.#initial.has(watcher)) watcher.end('slow');
      });
      watcher.cleanUps.push(stopWaiting, () => {
        this.#initial.delete(watcher);
        page.release();
      });
      this.#enqueue(watcher);
      return;
    }
    watcher.position = start === 'now' ? this.#store.revision : start.after;
    if (watcher.position === this.#head()) this.#caughtUp(watcher);
    else this.#enqueue(watcher);
  }

  #caughtUp(watcher: Watcher): void {
    this.#onCaughtUp(watcher);
    watcher.request.onStarted?.();
  }

  /** Called when the head has moved: wakes watchers that started at a future revision. */
  advance(): void {
    for (const watcher of this.#future) {
      if (watcher.position > this.#head()) continue;
      this.#future.delete(watcher);
      this.#enqueue(watcher);
    }
  }

  close(): void {
    this.#stopPause?.();
  }

  #enqueue(watcher: Watcher): void {
    this.#queue.push(watcher);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#runSteps());
  }

  #runSteps(): void {
    this.#scheduled = false;
    const now = this.#queue.splice(0, STEPS_PER_TURN);
    for (const watcher of now) if (!watcher.isEnded) this.#advance(watcher);
    if (this.#queue.length > 0 && !this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#runSteps());
    }
  }

  #advance(watcher: Watcher): void {
    let outcome: Outcome;
    try {
      outcome = this.#step(watcher);
    } catch (error) {
      watcher.end(error instanceof Compacted ? 'expired' : 'failed', error);
      return;
    }
    if (watcher.isEnded) return;
    if (outcome === 'more') this.#enqueue(watcher);
    else if (outcome === 'caughtUp') this.#caughtUp(watcher);
    else {
      if (outcome === 'future') this.#future.add(watcher);
      else this.#pause(watcher);
      watcher.request.onStarted?.();
    }
  }

  #step(watcher: Watcher): Outcome {
    if (watcher.buffered > MAX_AHEAD) return 'paused';
    const initial = this.#initial.get(watcher);
    if (initial) {
      if (initial.next().done) this.#initial.delete(watcher);
      return 'more';
    }
    const head = this.#head();
    if (watcher.position > head) return 'future';
    if (watcher.position < head) this.#replay(watcher, head);
    if (watcher.position < head) return 'more';
    this.#replays.delete(watcher);
    return 'caughtUp';
  }

  #replay(watcher: Watcher, head: Revision): void {
    const { key, select, format } = watcher.request;
    const replay = this.#replays.get(watcher) ?? this.#startReplay(watcher, head);
    this.#replays.set(watcher, replay);
    const frames: Buffer[] = [];
    let bytes = 0;
    while (bytes < BYTES_PER_STEP) {
      const { value: change, done } = replay.changes.next();
      if (done) {
        this.#replays.delete(watcher);
        watcher.position = replay.until;
        break;
      }
      watcher.position = change.revision;
      if (key !== undefined && change.key !== key) continue;
      const type = eventType(change, select);
      if (!type) continue;
      const frame = format.event(type, eventObject(change, type), change.previous);
      frames.push(frame);
      bytes += frame.length;
    }
    if (frames.length > 0) watcher.send(Buffer.concat(frames, bytes), frames.length);
  }

  #startReplay({ request, position }: Watcher, head: Revision): HistoryCursor {
    const { prefix, under, key } = request;
    const until = Math.min(head, position + REVISIONS_PER_STEP);
    const changes = this.#store.history(prefix, position, until, key ?? under)[Symbol.iterator]();
    return { changes, until };
  }

  #pause(watcher: Watcher): void {
    this.#replays.delete(watcher);
    this.#paused.push(watcher);
    this.#stopPause ??= this.#clock.after(PAUSE_MS, () => {
      this.#stopPause = undefined;
      const paused = this.#paused;
      this.#paused = [];
      for (const candidate of paused) {
        if (candidate.isEnded) continue;
        if (candidate.buffered > MAX_AHEAD) this.#pause(candidate);
        else this.#enqueue(candidate);
      }
    });
  }
}

/** Sends the objects of a page as ADDED events, one part per step. */
function* initialEvents(watcher: Watcher, page: ListPage, announceEnd: boolean): Generator<void, void> {
  const { format } = watcher.request;
  let frames: Buffer[] = [];
  let bytes = 0;
  let batches = 0;
  for (const batch of page.batches()) {
    for (const object of batch) {
      const frame = format.event('ADDED', object);
      frames.push(frame);
      bytes += frame.length;
    }
    if (bytes >= BYTES_PER_STEP) {
      watcher.send(Buffer.concat(frames, bytes), frames.length);
      frames = [];
      bytes = 0;
    } else if (++batches % BATCHES_PER_STEP !== 0) continue;
    yield;
  }
  if (frames.length > 0) watcher.send(Buffer.concat(frames, bytes), frames.length);
  if (announceEnd) watcher.send(format.bookmark(page.revision, true), 1);
}
