/**
 * Watch replay: brings watchers from their start revision to the head of the history, in small steps.
 *
 * Invariants:
 * - A watcher is sent every event after its start exactly once and in order, whatever is written meanwhile: replay
 *   continues from the watcher's own position and hands it over in the same turn in which that position is the head.
 * - A step is small, and a turn of the event loop runs few steps, however many watchers there are.
 * - A large event is encoded on another thread. Its watcher is in no queue meanwhile, and its position stays before the
 *   event, which is sent in a step of its own before replay continues: nothing overtakes it.
 * - Backpressure: replay pauses while a watcher's sink is full, and buffers at most one large event for a client that does
 *   not read.
 */
import type { Clock } from '../../base/clock.ts';
import type { ListPage } from '../lists/list-page.ts';
import { type Change, Compacted, type Revision, type Store } from '../store.ts';
import { type EventType, eventObject, eventType, isLargeEvent } from './event.ts';
import type { Watcher } from './watcher.ts';

const STEPS_PER_TURN = 256;
const MS_PER_TURN = 2;
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

/** A large event that is being encoded. */
interface LargeEvent {
  readonly encoding: Promise<() => Buffer>;
  /** The revision of the event; undefined for an initial event. */
  readonly revision?: Revision;
}

/** A large event that can be sent. */
interface EncodedEvent extends Omit<LargeEvent, 'encoding'> {
  readonly frame: () => Buffer;
}

/** `paused`: the sink is full. `future`: the start revision is above the head. A large event is awaited. */
type StepOutcome = 'more' | 'paused' | 'future' | 'caughtUp' | LargeEvent;

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
  readonly #initial = new Map<Watcher, Iterator<LargeEvent | undefined, void>>();
  readonly #cursors = new Map<Watcher, HistoryCursor>();
  /** The large events that the next step of a watcher sends. */
  readonly #encoded = new Map<Watcher, EncodedEvent>();
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
      this.#encoded.delete(watcher);
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
    watcher.notifyStarted();
  }

  /** Takes a watcher back that was handed over, and has been sent all events up to this revision. */
  resume(watcher: Watcher, position: Revision): void {
    if (watcher.isEnded) return;
    watcher.position = position;
    this.#enqueue(watcher);
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
    const startedAtMs = performance.now();
    const watchers = this.#queue.splice(0, STEPS_PER_TURN);
    for (let i = 0; i < watchers.length; i++) {
      const watcher = watchers[i]!;
      if (watcher.isEnded) continue;
      const isLarge = this.#runStep(watcher);
      // Copying a large object takes about as long as all other steps of a turn: those run in the next one.
      if (!isLarge && performance.now() - startedAtMs < MS_PER_TURN) continue;
      this.#queue.unshift(...watchers.slice(i + 1));
      break;
    }
    if (this.#queue.length > 0 && !this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#runSteps());
    }
  }

  /** Returns whether the step starts or sends a large event. */
  #runStep(watcher: Watcher): boolean {
    const isLarge = this.#encoded.has(watcher);
    let outcome: StepOutcome;
    try {
      outcome = this.#step(watcher);
    } catch (error) {
      watcher.end(error instanceof Compacted ? 'expired' : 'failed', error);
      return isLarge;
    }
    if (typeof outcome === 'object') {
      void this.#awaitLarge(watcher, outcome);
      return true;
    }
    if (watcher.isEnded) return isLarge;
    if (outcome === 'more') this.#enqueue(watcher);
    else if (outcome === 'caughtUp') this.#handOver(watcher);
    else {
      if (outcome === 'future') this.#future.add(watcher);
      else this.#pause(watcher);
      // The watch waits: it must not hold its flow control seat meanwhile.
      watcher.notifyStarted();
    }
    return isLarge;
  }

  async #awaitLarge(watcher: Watcher, { encoding, revision }: LargeEvent): Promise<void> {
    try {
      const frame = await encoding;
      if (watcher.isEnded) return;
      this.#encoded.set(watcher, { frame, ...(revision !== undefined && { revision }) });
      this.#enqueue(watcher);
    } catch (error) {
      watcher.end('failed', error);
    }
  }

  #step(watcher: Watcher): StepOutcome {
    if (watcher.buffered > MAX_BUFFERED_BYTES) return 'paused';
    const encoded = this.#encoded.get(watcher);
    if (encoded) {
      this.#encoded.delete(watcher);
      watcher.send(encoded.frame(), 1);
      if (encoded.revision !== undefined) watcher.position = encoded.revision;
      return 'more';
    }
    const initial = this.#initial.get(watcher);
    if (initial) {
      const { done, value: large } = initial.next();
      if (done) this.#initial.delete(watcher);
      return large ?? 'more';
    }
    const head = this.#head();
    if (watcher.position > head) return 'future';
    const large = watcher.position < head ? this.#replay(watcher, head) : undefined;
    if (large) {
      this.#cursors.delete(watcher);
      return large;
    }
    if (watcher.position < head) return 'more';
    this.#cursors.delete(watcher);
    return 'caughtUp';
  }

  /** Sends a part of the events between the position of the watcher and the head, or up to a large event. */
  #replay(watcher: Watcher, head: Revision): LargeEvent | undefined {
    const { key, select, format } = watcher.request;
    const cursor = this.#cursors.get(watcher) ?? this.#openCursor(watcher, head);
    this.#cursors.set(watcher, cursor);
    const frames: Buffer[] = [];
    let bytes = 0;
    let large: { readonly change: Change; readonly type: EventType } | undefined;
    while (bytes < BYTES_PER_STEP) {
      const { value: change, done } = cursor.changes.next();
      if (done) {
        this.#cursors.delete(watcher);
        watcher.position = cursor.until;
        break;
      }
      const type = key === undefined || change.key === key ? eventType(change, select) : undefined;
      if (type && isLargeEvent(change, type, format)) {
        large = { change, type };
        break;
      }
      watcher.position = change.revision;
      if (!type) continue;
      const frame = format.event(type, eventObject(change, type), change.previous);
      frames.push(frame);
      bytes += frame.length;
    }
    if (frames.length > 0) watcher.send(Buffer.concat(frames, bytes), frames.length);
    if (!large || watcher.isEnded) return undefined;
    const { change, type } = large;
    return { encoding: format.large!.event(type, eventObject(change, type)), revision: change.revision };
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
function* initialEvents(
  watcher: Watcher,
  page: ListPage,
  announceEnd: boolean,
): Generator<LargeEvent | undefined, void> {
  const { format } = watcher.request;
  const { large } = format;
  let frames: Buffer[] = [];
  let bytes = 0;
  let batches = 0;
  for (const batch of page.batches()) {
    for (const object of batch) {
      // Not the length of `json`, which is built on access.
      if (large && object.item.length >= large.minBytes) {
        if (frames.length > 0) watcher.send(Buffer.concat(frames, bytes), frames.length);
        frames = [];
        bytes = 0;
        if (watcher.isEnded) return;
        yield { encoding: large.event('ADDED', object) };
        continue;
      }
      const frame = format.event('ADDED', object);
      frames.push(frame);
      bytes += frame.length;
    }
    if (bytes >= BYTES_PER_STEP) {
      watcher.send(Buffer.concat(frames, bytes), frames.length);
      frames = [];
      bytes = 0;
      yield undefined;
      // Batches may be empty if the selector matches little, so their number is limited too.
    } else if (++batches % BATCHES_PER_STEP === 0) yield undefined;
  }
  if (frames.length > 0) watcher.send(Buffer.concat(frames, bytes), frames.length);
  if (announceEnd) watcher.send(format.bookmark(page.revision, { initialEventsEnd: true }), 1);
}
