/**
 * The watch on etcd: delivers its changes to the local copy, and restarts where it was interrupted.
 *
 * Invariants:
 * - Changes are delivered in order and exactly once; a revision is delivered whole.
 * - A gap is never skipped: after missed changes the replica must resync.
 */
import type { ReplicatedChange } from '../lmdb/group-commit.ts';
import type { StoredRecord } from '../lmdb/record.ts';
import type { Revision } from '../store.ts';
import type { EtcdRange } from './full-sync.ts';
import type { Marker } from './marker.ts';
import { CallError, type RpcStream, statusCodes } from './rpc/connection.ts';
import type { EtcdClient } from './rpc/etcd-client.ts';
import { Deframer } from './rpc/frames.ts';
import { readWatch, type WatchEvent, type WatchResponse, writeWatchCreate } from './rpc/messages.ts';
import { decodeValue } from './value.ts';

export interface WatchReplica {
  /** The latest revision it has applied. */
  readonly revision: Revision;
  /** The state of a key after all changes delivered so far. */
  current(key: string): StoredRecord | undefined;
  /** Resolves once applied. Throws synchronously if changes cannot be applied now. */
  apply(change: ReplicatedChange): Promise<void>;
  /**
   * Called after a gap: changes were compacted or cannot be represented. Resolves with the revision to resume after.
   */
  resync(gap: WatchGap): Promise<Revision>;
  /** Called when the watch is established, or with the error that interrupted it. */
  onStatus(error: Error | undefined): void;
}

const MIN_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 1_000;
/** A watch without a response for this long, although changes exist, is considered stalled. */
const STALLED_MS = 500;
/** Bytes of changes that may wait to be applied. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024;

/** Watch gap: changes may have been missed. */
export class WatchGap extends Error {
  /** Possibly nothing was missed: the compacted revisions may all be writes of other programs. */
  readonly isCompacted: boolean;
  constructor(message: string, isCompacted: boolean) {
    super(message);
    this.isCompacted = isCompacted;
  }
}

export class EtcdWatch {
  readonly #client: EtcdClient;
  readonly #range: EtcdRange;
  readonly #marker: Marker;
  readonly #replica: WatchReplica;
  readonly #running: Promise<void>;
  #stream: RpcStream | undefined;
  /** All changes up to this revision have been delivered. */
  #delivered: Revision;
  #lastDataAt = 0;
  #stopped = false;
  #wake = () => {};
  /** Makes the next watch use another member. */
  #switchMember = () => {};

  /** Delivers the changes after `startRevision`. */
  constructor(
    client: EtcdClient,
    range: EtcdRange,
    marker: Marker,
    startRevision: Revision,
    replica: WatchReplica,
  ) {
    this.#client = client;
    this.#range = range;
    this.#marker = marker;
    this.#replica = replica;
    this.#delivered = startRevision;
    this.#running = this.#run();
  }

  /** The delivered state is no longer valid: forces a resync. */
  forceResync(why: string): void {
    this.#stream?.end(new WatchGap(why, false));
  }

  /** The copy is behind etcd. Unless responses are arriving, another member may be faster. */
  onStalled(): void {
    if (performance.now() - this.#lastDataAt < STALLED_MS) return;
    this.#stream?.end(new CallError(statusCodes.unavailable, 'the watch makes no progress'));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stream?.end();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    let gap: WatchGap | undefined;
    for (let backoffMs = MIN_BACKOFF_MS; !this.#stopped; ) {
      const before = this.#replica.revision;
      try {
        if (gap) this.#delivered = await this.#replica.resync(gap);
        gap = undefined;
        await this.#watch();
      } catch (error) {
        if (this.#stopped) return;
        this.#replica.onStatus(error instanceof Error ? error : new Error(String(error)));
        if (error instanceof WatchGap) {
          gap = error;
          continue;
        }
        this.#switchMember();
        backoffMs =
          this.#replica.revision > before ? MIN_BACKOFF_MS : Math.min(backoffMs * 2, MAX_BACKOFF_MS);
        await this.#backoff(backoffMs);
      }
    }
  }

  #backoff(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Rejects when the watch ends, which always has a reason. */
  async #watch(): Promise<never> {
    // Changes that the replica failed to apply are delivered again.
    const after = Math.max(this.#delivered, this.#replica.revision);
    const responses = new Responses(this.#range, this.#marker, after, (key) => this.#replica.current(key));
    const deframer = new Deframer();
    const applying = new Set<Promise<void>>();
    let bytes = 0;
    let end: (error: Error) => void;
    const ended = new Promise<Error>((resolve) => {
      end = resolve;
    });
    this.#switchMember = () => {};
    const take = (change: ReplicatedChange) => {
      const size = change.draft?.json.length ?? 0;
      bytes += size;
      if (bytes > MAX_PENDING_BYTES) stream.pause();
      const applied = this.#replica.apply(change).then(
        () => {
          applying.delete(applied);
          bytes -= size;
          if (bytes <= MAX_PENDING_BYTES) stream.resume();
        },
        (error: Error) => stream.end(error),
      );
      applying.add(applied);
    };
    const { stream, leave } = await this.#client.watch({
      onData: (piece) => {
        this.#lastDataAt = performance.now();
        try {
          for (const message of deframer.take(piece)) {
            for (const event of this.#eventsIn(responses, readWatch(message))) {
              const change = responses.changeOf(event);
              if (change) take(change);
            }
          }
        } catch (error) {
          // After a change that cannot be applied, no later one is.
          stream.end(error as Error);
        }
      },
      onEnd: (error = new CallError(statusCodes.unavailable, 'etcd closed the watch')) => end(error),
    });
    this.#stream = stream;
    this.#switchMember = leave;
    if (this.#stopped) stream.end();
    stream.send(writeWatchCreate({ ...this.#range, from: this.#marker.toEtcdRevision(after) + 1 }));
    const error = await ended;
    this.#stream = undefined;
    await Promise.all(applying);
    throw error;
  }

  #eventsIn(responses: Responses, response: WatchResponse): readonly WatchEvent[] {
    const { created, canceled, compactRevision, cancelReason } = response;
    if (compactRevision > 0)
      throw new WatchGap(`history up to revision ${compactRevision} has been compacted`, true);
    if (canceled) throw new CallError(statusCodes.unavailable, cancelReason || 'etcd closed the watch');
    if (created) this.#replica.onStatus(undefined);
    return responses.completeEvents(response);
  }
}

/** Assembles watch responses and converts events to changes. */
class Responses {
  readonly #range: EtcdRange;
  readonly #marker: Marker;
  readonly #current: WatchReplica['current'];
  #fragments: WatchEvent[] = [];
  #lastRevision: Revision;

  constructor(range: EtcdRange, marker: Marker, reached: Revision, current: WatchReplica['current']) {
    this.#range = range;
    this.#marker = marker;
    this.#lastRevision = reached;
    this.#current = current;
  }

  /** The events of a response; none while fragments are still to come. */
  completeEvents({ events, fragment }: WatchResponse): readonly WatchEvent[] {
    if (fragment || this.#fragments.length > 0) this.#fragments.push(...events);
    if (fragment) return [];
    const whole = this.#fragments.length > 0 ? this.#fragments : events;
    this.#fragments = [];
    for (const { kv } of whole) {
      const revision = this.#marker.toClientRevision(kv.modRevision);
      // Only other programs change several keys in one transaction, which our history cannot represent.
      if (revision === this.#lastRevision)
        throw new WatchGap(`revision ${revision} changed several keys`, false);
      this.#lastRevision = revision;
    }
    return whole;
  }

  /**
   * Undefined for keys that Orch did not write. A foreign value that replaces an object is a deletion of it. All
   * earlier changes must have been applied, since a deletion needs the current state.
   */
  changeOf({ isDeletion, kv }: WatchEvent): ReplicatedChange | undefined {
    const revision = this.#marker.toClientRevision(kv.modRevision);
    const key = kv.key.slice(this.#range.key.length);
    const now = isDeletion ? undefined : decodeValue(key, kv.value);
    if (now) return { key, revision, prefix: now.prefix, draft: now.draft };
    const previous = this.#current(key);
    if (!previous) return undefined;
    if (previous.prefix === undefined)
      throw new WatchGap(`the resource of ${key} before revision ${revision} is unknown`, false);
    return { key, revision, prefix: previous.prefix, draft: null };
  }
}
