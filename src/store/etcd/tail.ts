/**
 * The changes of etcd as they come: one watch over all our keys, begun again where it was lost.
 *
 * Invariants:
 * - What is handed on is handed on in order and once; a revision is handed on whole.
 * - Nothing is handed on in place of something that was missed: the follower is told that it has lost the thread.
 */
import type { Decided } from '../lmdb/group-commit.ts';
import type { StoredRecord } from '../lmdb/record.ts';
import type { Revision } from '../store.ts';
import type { Range } from './full-read.ts';
import type { Marker } from './marker.ts';
import { CallError, type RpcStream, statusCodes } from './rpc/connection.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';
import { Deframer } from './rpc/frames.ts';
import { readWatch, type WatchEvent, type WatchResponse, writeWatchCreate } from './rpc/messages.ts';
import { readValue } from './value.ts';

export interface Follower {
  /** The last change it has. */
  readonly revision: Revision;
  /** What a key is after all that it has been told. */
  current(key: string): StoredRecord | undefined;
  /** Resolves once it is taken. Throws at once if nothing can be taken now. */
  take(change: Decided): Promise<void>;
  /**
   * There may be changes that nobody can tell any more, because they are compacted or cannot be told. Resolves with the
   * revision to go on after.
   */
  beginAnew(lost: Lost): Promise<Revision>;
  /** The watch is up, or why it is not. */
  follows(trouble: Error | undefined): void;
}

const FIRST_REST_MS = 50;
const LONGEST_REST_MS = 1_000;
/** A watch on which nothing has come for so long, though there is something, stands still. */
const STANDS_STILL_MS = 500;
/** Bytes that may wait to be taken. */
const MAX_WAITING = 4 * 1024 * 1024;

/** The thread is lost. */
export class Lost extends Error {
  /** It may be that nothing was missed: of what is compacted, all may be of others. */
  readonly isCompacted: boolean;
  constructor(message: string, isCompacted: boolean) {
    super(message);
    this.isCompacted = isCompacted;
  }
}

export class Tail {
  readonly #client: EtcdClient;
  readonly #range: Range;
  readonly #marker: Marker;
  readonly #follower: Follower;
  readonly #running: Promise<void>;
  #stream: RpcStream | undefined;
  /** All up to here has been told. */
  #told: Revision;
  #heardAt = 0;
  #stopped = false;
  #wake = () => {};
  /** Has the next watch be one at another member. */
  #leave = () => {};

  /** Tells what comes after `told`. */
  constructor(client: EtcdClient, range: Range, marker: Marker, told: Revision, follower: Follower) {
    this.#client = client;
    this.#range = range;
    this.#marker = marker;
    this.#follower = follower;
    this.#told = told;
    this.#running = this.#run();
  }

  /** What has been told is not so any more. */
  loseThread(why: string): void {
    this.#stream?.end(new Lost(why, false));
  }

  /** There is more to tell than is told: unless it is being told, another member may do better. */
  lags(): void {
    if (performance.now() - this.#heardAt < STANDS_STILL_MS) return;
    this.#stream?.end(new CallError(statusCodes.unavailable, 'the watch makes no progress'));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stream?.end();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    let lost: Lost | undefined;
    for (let rest = FIRST_REST_MS; !this.#stopped; ) {
      const before = this.#follower.revision;
      try {
        if (lost) this.#told = await this.#follower.beginAnew(lost);
        lost = undefined;
        await this.#watch();
      } catch (error) {
        if (this.#stopped) return;
        this.#follower.follows(error instanceof Error ? error : new Error(String(error)));
        if (error instanceof Lost) {
          lost = error;
          continue;
        }
        this.#leave();
        rest = this.#follower.revision > before ? FIRST_REST_MS : Math.min(rest * 2, LONGEST_REST_MS);
        await this.#rest(rest);
      }
    }
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Fails when the watch is over, which it never is without a reason. */
  async #watch(): Promise<never> {
    // What a follower has failed to take is told again.
    const after = Math.max(this.#told, this.#follower.revision);
    const responses = new Responses(this.#range, this.#marker, after, (key) => this.#follower.current(key));
    const deframer = new Deframer();
    const taking = new Set<Promise<void>>();
    let bytes = 0;
    let end: (error: Error) => void;
    const ended = new Promise<Error>((resolve) => {
      end = resolve;
    });
    this.#leave = () => {};
    const take = (change: Decided) => {
      const size = change.draft?.json.length ?? 0;
      bytes += size;
      if (bytes > MAX_WAITING) stream.pause();
      const taken = this.#follower.take(change).then(
        () => {
          taking.delete(taken);
          bytes -= size;
          if (bytes <= MAX_WAITING) stream.resume();
        },
        (error: Error) => stream.end(error),
      );
      taking.add(taken);
    };
    const { stream, leave } = await this.#client.watch({
      data: (piece) => {
        this.#heardAt = performance.now();
        try {
          for (const message of deframer.take(piece)) {
            for (const event of this.#eventsIn(responses, readWatch(message))) {
              const change = responses.changeOf(event);
              if (change) take(change);
            }
          }
        } catch (error) {
          // After what cannot be taken, nothing is.
          stream.end(error as Error);
        }
      },
      end: (error = new CallError(statusCodes.unavailable, 'etcd closed the watch')) => end(error),
    });
    this.#stream = stream;
    this.#leave = leave;
    if (this.#stopped) stream.end();
    stream.send(writeWatchCreate({ ...this.#range, from: this.#marker.etcds(after) + 1 }));
    const error = await ended;
    this.#stream = undefined;
    await Promise.all(taking);
    throw error;
  }

  #eventsIn(responses: Responses, response: WatchResponse): readonly WatchEvent[] {
    const { created, canceled, compactRevision, cancelReason } = response;
    if (compactRevision > 0)
      throw new Lost(`history up to revision ${compactRevision} has been compacted`, true);
    if (canceled) throw new CallError(statusCodes.unavailable, cancelReason || 'etcd closed the watch');
    if (created) this.#follower.follows(undefined);
    return responses.whole(response);
  }
}

/** Makes changes of responses. */
class Responses {
  readonly #range: Range;
  readonly #marker: Marker;
  readonly #current: Follower['current'];
  #fragments: WatchEvent[] = [];
  #reached: Revision;

  constructor(range: Range, marker: Marker, reached: Revision, current: Follower['current']) {
    this.#range = range;
    this.#marker = marker;
    this.#reached = reached;
    this.#current = current;
  }

  /** The events of a response; none while the rest of it is to come. */
  whole({ events, fragment }: WatchResponse): readonly WatchEvent[] {
    if (fragment || this.#fragments.length > 0) this.#fragments.push(...events);
    if (fragment) return [];
    const whole = this.#fragments.length > 0 ? this.#fragments : events;
    this.#fragments = [];
    for (const { kv } of whole) {
      const revision = this.#marker.ours(kv.modRevision);
      // Only others change several keys at once, and our history has no place for that.
      if (revision === this.#reached) throw new Lost(`revision ${revision} changed several keys`, false);
      this.#reached = revision;
    }
    return whole;
  }

  /**
   * Undefined for what is not of our making. What takes the place of an object of ours deletes that. All before it must
   * have been taken: what is deleted is told by what stands.
   */
  changeOf({ isDeletion, kv }: WatchEvent): Decided | undefined {
    const revision = this.#marker.ours(kv.modRevision);
    const key = kv.key.slice(this.#range.key.length);
    const now = isDeletion ? undefined : readValue(key, kv.value);
    if (now) return { key, revision, prefix: now.prefix, draft: now.draft };
    const was = this.#current(key);
    if (!was) return undefined;
    if (was.prefix === undefined)
      throw new Lost(`the resource of ${key} before revision ${revision} is unknown`, false);
    return { key, revision, prefix: was.prefix, draft: null };
  }
}
