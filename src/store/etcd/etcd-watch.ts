/**
 * The watch on etcd: delivers changes to the local replica, and restarts where it was interrupted.
 *
 * Invariants:
 * - The replica applies changes in revision order and exactly once.
 * - A gap is never skipped: after changes that were missed, or that cannot be applied, the replica must resync.
 *
 * Revisions are those that clients see: the marker (marker.ts) converts them from and to etcd's.
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
  /** The last revision that the replica has applied. */
  readonly revision: Revision;
  /** The state of a key after all changes delivered so far. */
  current(key: string): StoredRecord | undefined;
  /** Resolves once applied. Throws synchronously if changes cannot be applied now. */
  apply(change: ReplicatedChange): Promise<void>;
  /**
   * Called after a gap: changes were compacted or cannot be represented. Resolves with the revision after which the
   * watch resumes.
   */
  resync(gap: WatchGap): Promise<Revision>;
  /** Called when the watch is established, or with the error that interrupted it. */
  onStatus(error: Error | undefined): void;
}

const MIN_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 1_000;
/** A watch without data for this long, although changes exist, is considered stalled. */
const STALLED_MS = 500;
/** Bytes of changes that may wait to be applied; above it the stream is paused (backpressure). */
const MAX_PENDING_BYTES = 4 * 1024 * 1024;

/** Watch gap: changes may have been missed, so the watch cannot continue from the state of the replica. */
export class WatchGap extends Error {
  /**
   * The gap is due to compaction. Possibly nothing was missed: the compacted revisions may all be writes of other
   * programs.
   */
  readonly isCompacted: boolean;
  constructor(message: string, { isCompacted = false } = {}) {
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
  /**
   * Where the watch started or last resumed. Higher than the replica's revision if the writes in between are of other
   * programs.
   */
  #resumeAfter: Revision;
  /** When the last bytes arrived, of `performance.now()`. */
  #lastDataMs = 0;
  #stopped = false;
  #endBackoff = () => {};
  /** Makes the next watch use another etcd member. */
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
    this.#resumeAfter = startRevision;
    this.#running = this.#run();
  }

  /** Ends the watch with a gap, because the state that was delivered is no longer valid. */
  forceResync(reason: string): void {
    this.#stream?.end(new WatchGap(reason));
  }

  /** Called when the replica is behind etcd. Unless data is arriving, the watch restarts on another member. */
  onStalled(): void {
    if (performance.now() - this.#lastDataMs < STALLED_MS) return;
    this.#stream?.end(new CallError(statusCodes.unavailable, 'the watch makes no progress'));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stream?.end();
    this.#endBackoff();
    await this.#running;
  }

  /** Watches until `stop`: resyncs after a gap, and retries with backoff after other errors. */
  async #run(): Promise<void> {
    let gap: WatchGap | undefined;
    for (let backoffMs = MIN_BACKOFF_MS; !this.#stopped; ) {
      const revisionAtStart = this.#replica.revision;
      try {
        if (gap) this.#resumeAfter = await this.#replica.resync(gap);
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
        const hasProgressed = this.#replica.revision > revisionAtStart;
        backoffMs = hasProgressed ? MIN_BACKOFF_MS : Math.min(backoffMs * 2, MAX_BACKOFF_MS);
        await this.#backoff(backoffMs);
      }
    }
  }

  #backoff(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endBackoff = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Opens one watch stream and delivers its changes. Always rejects, with the error that ended the stream. */
  async #watch(): Promise<never> {
    // Starts after the last change that was applied, so one that the replica failed to apply is delivered again.
    const after = Math.max(this.#resumeAfter, this.#replica.revision);
    const responses = new WatchResponses(this.#range, this.#marker, after, (key) =>
      this.#replica.current(key),
    );
    const deframer = new Deframer();
    const applying = new Set<Promise<void>>();
    let pendingBytes = 0;
    let resolveEnded: (error: Error) => void;
    const ended = new Promise<Error>((resolve) => {
      resolveEnded = resolve;
    });
    this.#switchMember = () => {};
    const deliver = (change: ReplicatedChange) => {
      const size = change.draft?.json.length ?? 0;
      pendingBytes += size;
      if (pendingBytes > MAX_PENDING_BYTES) stream.pause();
      const applied = this.#replica.apply(change).then(
        () => {
          applying.delete(applied);
          pendingBytes -= size;
          if (pendingBytes <= MAX_PENDING_BYTES) stream.resume();
        },
        (error: Error) => stream.end(error),
      );
      applying.add(applied);
    };
    const { stream, leave } = await this.#client.watch({
      onData: (chunk) => {
        this.#lastDataMs = performance.now();
        try {
          for (const message of deframer.take(chunk)) {
            for (const event of this.#readEvents(responses, readWatch(message))) {
              const change = responses.toChange(event);
              if (change) deliver(change);
            }
          }
        } catch (error) {
          // After a change that cannot be applied, no later one is.
          stream.end(error as Error);
        }
      },
      onEnd: (error = new CallError(statusCodes.unavailable, 'etcd closed the watch')) => resolveEnded(error),
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

  /** The events of a response. Throws if the response ends the watch. */
  #readEvents(responses: WatchResponses, response: WatchResponse): readonly WatchEvent[] {
    const { created, canceled, compactRevision, cancelReason } = response;
    if (compactRevision > 0)
      throw new WatchGap(`history up to revision ${compactRevision} has been compacted`, {
        isCompacted: true,
      });
    if (canceled) throw new CallError(statusCodes.unavailable, cancelReason || 'etcd closed the watch');
    if (created) this.#replica.onStatus(undefined);
    return responses.completeEvents(response);
  }
}

/** Assembles the fragments of watch responses, and converts their events to changes. */
class WatchResponses {
  readonly #range: EtcdRange;
  readonly #marker: Marker;
  readonly #current: WatchReplica['current'];
  #fragments: WatchEvent[] = [];
  #lastRevision: Revision;

  constructor(range: EtcdRange, marker: Marker, after: Revision, current: WatchReplica['current']) {
    this.#range = range;
    this.#marker = marker;
    this.#lastRevision = after;
    this.#current = current;
  }

  /**
   * The events of a response, including its earlier fragments; none while fragments are still to come. Throws WatchGap
   * if a revision has several events.
   */
  completeEvents({ events, fragment }: WatchResponse): readonly WatchEvent[] {
    if (fragment || this.#fragments.length > 0) {
      for (const event of events) this.#fragments.push(event);
    }
    if (fragment) return [];
    const assembled = this.#fragments.length > 0 ? this.#fragments : events;
    this.#fragments = [];
    for (const { kv } of assembled) {
      const revision = this.#marker.toClientRevision(kv.modRevision);
      // Only other programs change several keys in one transaction, which our history cannot represent.
      if (revision === this.#lastRevision) throw new WatchGap(`revision ${revision} changed several keys`);
      this.#lastRevision = revision;
    }
    return assembled;
  }

  /**
   * Undefined for keys that Orch did not write. If another program overwrites an object with its own value, the object
   * counts as deleted. All earlier changes must have been passed to the replica, since the event of a deletion does
   * not contain the resource prefix: it is read from the current state of the key.
   */
  toChange({ isDeletion, kv }: WatchEvent): ReplicatedChange | undefined {
    const revision = this.#marker.toClientRevision(kv.modRevision);
    const key = kv.key.slice(this.#range.key.length);
    const decoded = isDeletion ? undefined : decodeValue(key, kv.value);
    if (decoded) return { key, revision, prefix: decoded.prefix, draft: decoded.draft };
    const previous = this.#current(key);
    if (!previous) return undefined;
    // A record of an older format.
    if (previous.prefix === undefined)
      throw new WatchGap(`the resource of ${key} before revision ${revision} is unknown`);
    return { key, revision, prefix: previous.prefix, draft: null };
  }
}
