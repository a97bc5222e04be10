/**
 * The changes of etcd as they come: one watch over all our keys, begun again where it was lost.
 *
 * Invariants:
 * - What is handed on is handed on in order and once; a revision is handed on whole.
 * - Nothing is handed on in place of something that was missed: the follower is told that it has lost the thread.
 */
import type { Decided } from '../lmdb/group-commit.ts';
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
  /** Resolves once they are taken. */
  take(changes: readonly Decided[]): Promise<void>;
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
    this.#stream?.end(new CallError(statusCodes.unavailable, 'the watch stands still'));
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

  /** Settles when the watch is over, which it never is without a reason. */
  async #watch(): Promise<void> {
    const deframer = new Deframer();
    let waiting: Buffer[] = [];
    let bytes = 0;
    let ended: { readonly error: Error } | undefined;
    let wake = () => {};
    this.#leave = () => {};
    const heard = () => {
      this.#heardAt = performance.now();
    };
    const { stream, leave } = await this.#client.watch({
      data(piece) {
        heard();
        waiting.push(...deframer.take(piece));
        bytes += piece.length;
        if (bytes > MAX_WAITING) stream.pause();
        wake();
      },
      end(error = new CallError(statusCodes.unavailable, 'etcd has ended the watch')) {
        ended = { error };
        wake();
      },
    });
    this.#stream = stream;
    this.#leave = leave;
    // What a follower has failed to take is told again.
    const after = Math.max(this.#told, this.#follower.revision);
    const responses = new Responses(this.#range, this.#marker, after);
    stream.send(writeWatchCreate({ ...this.#range, from: this.#marker.etcds(after) + 1 }));
    try {
      for (;;) {
        // What has come together is taken together.
        const messages = waiting;
        [waiting, bytes] = [[], 0];
        stream.resume();
        await this.#hearAll(responses, messages);
        if (waiting.length > 0) continue;
        if (ended || this.#stopped) throw ended?.error ?? new Error('stopped');
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      this.#stream = undefined;
      stream.end();
    }
  }

  async #hearAll(responses: Responses, messages: readonly Buffer[]): Promise<void> {
    const taking: (Promise<void> | undefined)[] = [];
    try {
      // After one that cannot be taken, none is.
      for (const message of messages) taking.push(this.#hear(responses, readWatch(message)));
    } finally {
      await Promise.allSettled(taking);
    }
    await Promise.all(taking);
  }

  #hear(responses: Responses, response: WatchResponse): Promise<void> | undefined {
    const { created, canceled, compactRevision, cancelReason } = response;
    if (compactRevision > 0)
      throw new Lost(`history up to revision ${compactRevision} has been compacted`, true);
    if (canceled) throw new CallError(statusCodes.unavailable, cancelReason || 'etcd has ended the watch');
    if (created) this.#follower.follows(undefined);
    const changes = responses.take(response);
    return changes.length > 0 ? this.#follower.take(changes) : undefined;
  }
}

/** Makes changes of responses. */
class Responses {
  readonly #range: Range;
  readonly #marker: Marker;
  #fragments: WatchEvent[] = [];
  #reached: Revision;

  constructor(range: Range, marker: Marker, reached: Revision) {
    this.#range = range;
    this.#marker = marker;
    this.#reached = reached;
  }

  /** None while the rest of a response is to come. */
  take({ events, fragment }: WatchResponse): Decided[] {
    this.#fragments.push(...events);
    if (fragment) return [];
    const whole = this.#fragments;
    this.#fragments = [];
    return whole.flatMap((event) => this.#change(event) ?? []);
  }

  /** Undefined for what is not of our making. What takes the place of an object of ours deletes that. */
  #change({ isDeletion, kv, previous }: WatchEvent): Decided | undefined {
    const revision = this.#marker.ours(kv.modRevision);
    // Only others change several keys at once, and our history has no place for that.
    if (revision === this.#reached)
      throw new Lost(`several keys were changed by revision ${revision}`, false);
    this.#reached = revision;
    const key = kv.key.slice(this.#range.key.length);
    const now = isDeletion ? undefined : readValue(kv.value);
    if (now) return { key, revision, prefix: now.prefix, draft: now.draft };
    if (isDeletion && !previous)
      throw new Lost(`what ${key} was before revision ${revision} is not known`, false);
    const was = previous && readValue(previous.value);
    return was && { key, revision, prefix: was.prefix, draft: null };
  }
}
