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
import type { ListPage } from '../lists/list-page.ts';
import { type Change, Compacted, type Revision, type Store } from '../store.ts';
import { eventObject, eventType } from './event.ts';
import type { Watcher } from './watcher.ts';

const STEPS_PER_TURN = 16;
const REVISIONS_PER_STEP = 4_000;
const BYTES_PER_STEP = 64 * 1024;
const BATCHES_PER_STEP = 64;
/** Bytes that a sink may buffer before replay pauses, and the length of a pause. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const PAUSE_MS = 20;

/** An iteration over history up to a revision, kept between steps. */
interface HistoryCursor {
  readonly changes: Iterator<Change>;
  readonly until: Revision;
}

/** `paused`: the sink is full. `future`: the start revision is above the head. */
type StepOutcome = 'more' | 'paused' | 'future' | 'caughtUp';

export interface WatchReplayOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Deadline for sending the initial state of a watch, since it may pin a view. */
  readonly initialEventsTimeoutMs: number;
  /** The latest revision that the hub has dispatched. */
  readonly head: () => Revision;
  /** Takes over a watcher whose position is the head. */
  readonly onCaughtUp: (watcher: Watcher) => void;
}

export class WatchReplay {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #initialEventsTimeoutMs: number;
  readonly #head: () => Revision;
  readonly #onCaughtUp: (watcher: Watcher) => void;
  /** Watchers whose next step can run. */
  #queue: Watcher[] = [];
  /** Watchers whose sink is full. */
  #paused: Watcher[] = [];
  /** Watchers whose start revision is above the head. */
  readonly #future = new Set<Watcher>();
  /** The initial events that are still to be sent; each step of the iterator sends a part of them. */
  readonly #initial = new Map<Watcher, Iterator<void, void>>();
  readonly #cursors = new Map<Watcher, HistoryCursor>();
  #scheduled = false;
  #cancelPause: (() => void) | undefined;

  constructor(options: WatchReplayOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#initialEventsTimeoutMs = options.initialEventsTimeoutMs;
    this.#head = options.head;
    this.#onCaughtUp = options.onCaughtUp;
  }

  start(watcher: Watcher): void {
    const { start } = watcher.request;
    watcher.cleanUps.push(() => {
      this.#future.delete(watcher);
      this.#cursors.delete(watcher);
    });
    if (typeof start === 'object' && 'page' in start) {
      const { page, announceEnd } = start;
      watcher.position = page.revision;
      this.#initial.set(watcher, initialEvents(watcher, page, announceEnd));
      const cancelTimeout = this.#clock.after(this.#initialEventsTimeoutMs, () => {
        if (this.#initial.has(watcher)) watcher.end('slow');
      });
      watcher.cleanUps.push(cancelTimeout, () => {
        this.#initial.delete(watcher);
        page.release();
      });
      this.#enqueue(watcher);
      return;
    }
    watcher.position = start === 'now' ? this.#store.revision : start.after;
    if (watcher.position === this.#head()) this.#handOver(watcher);
    else this.#enqueue(watcher);
  }

  #handOver(watcher: Watcher): void {
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
    this.#cancelPause?.();
  }

  #enqueue(watcher: Watcher): void {
    this.#queue.push(watcher);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#runSteps());
  }

  #runSteps(): void {
    this.#scheduled = false;
    const watchers = this.#queue.splice(0, STEPS_PER_TURN);
    for (const watcher of watchers) if (!watcher.isEnded) this.#runStep(watcher);
    if (this.#queue.length > 0 && !this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#runSteps());
    }
  }

  #runStep(watcher: Watcher): void {
    let outcome: StepOutcome;
    try {
      outcome = this.#step(watcher);
    } catch (error) {
      watcher.end(error instanceof Compacted ? 'expired' : 'failed', error);
      return;
    }
    if (watcher.isEnded) return;
    if (outcome === 'more') this.#enqueue(watcher);
    else if (outcome === 'caughtUp') this.#handOver(watcher);
    else {
      if (outcome === 'future') this.#future.add(watcher);
      else this.#pause(watcher);
      // The watch waits: it must not hold its flow control seat meanwhile.
      watcher.request.onStarted?.();
    }
  }

  #step(watcher: Watcher): StepOutcome {
    if (watcher.buffered > MAX_BUFFERED_BYTES) return 'paused';
    const initial = this.#initial.get(watcher);
    if (initial) {
      if (initial.next().done) this.#initial.delete(watcher);
      return 'more';
    }
    const head = this.#head();
    if (watcher.position > head) return 'future';
    if (watcher.position < head) this.#replay(watcher, head);
    if (watcher.position < head) return 'more';
    this.#cursors.delete(watcher);
    return 'caughtUp';
  }

  /** Sends a part of the events between the position of the watcher and the head. */
  #replay(watcher: Watcher, head: Revision): void {
    const { key, select, format } = watcher.request;
    const cursor = this.#cursors.get(watcher) ?? this.#openCursor(watcher, head);
    this.#cursors.set(watcher, cursor);
    const frames: Buffer[] = [];
    let bytes = 0;
    while (bytes < BYTES_PER_STEP) {
      const { value: change, done } = cursor.changes.next();
      if (done) {
        this.#cursors.delete(watcher);
        watcher.position = cursor.until;
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

  #openCursor({ request, position }: Watcher, head: Revision): HistoryCursor {
    const { prefix, keyPrefix, key } = request;
    const until = Math.min(head, position + REVISIONS_PER_STEP);
    const changes = this.#store.history(prefix, position, until, key ?? keyPrefix)[Symbol.iterator]();
    return { changes, until };
  }

  #pause(watcher: Watcher): void {
    this.#cursors.delete(watcher);
    this.#paused.push(watcher);
    this.#cancelPause ??= this.#clock.after(PAUSE_MS, () => {
      this.#cancelPause = undefined;
      const paused = this.#paused;
      this.#paused = [];
      for (const candidate of paused) {
        if (candidate.isEnded) continue;
        if (candidate.buffered > MAX_BUFFERED_BYTES) this.#pause(candidate);
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
      yield;
      // Batches may be empty if the selector matches little, so their number is limited too.
    } else if (++batches % BATCHES_PER_STEP === 0) yield;
  }
  if (frames.length > 0) watcher.send(Buffer.concat(frames, bytes), frames.length);
  if (announceEnd) watcher.send(format.bookmark(page.revision, { initialEventsEnd: true }), 1);
}
