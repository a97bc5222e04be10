// Records Events about objects, with the event correlation of client-go's tools/record: deduplication, aggregation and a spam
// filter.
import { type Clock, timestamp } from '../../base/clock.ts';
import { digestOf } from '../../base/digest.ts';
import { LruCache } from '../../base/lru-cache.ts';
import type { Client, Manifest } from '../../client/client.ts';
import { ApiError } from '../../errors/status.ts';
import type { Logger } from '../../telemetry/log.ts';

export interface InvolvedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface RecordedEvent {
  readonly involvedObject: InvolvedObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly action?: string;
  readonly component: string;
}

/** The Event to update when the same one is recorded again. */
interface WrittenEvent {
  readonly name: string;
  readonly firstTimestamp: string;
  count: number;
}

/** Events that differ only in their message: many of them are aggregated into one. */
interface SimilarEvents {
  /** Digests of the messages, up to `maxSimilar`. */
  readonly messages: Set<string>;
  lastRecordedAt: number;
}

/** Token bucket of the spam filter, by component and object. */
interface TokenBucket {
  tokens: number;
  refilledAt: number;
}

/** Entries of each cache. Their keys are digests, so that an entry takes less than 1 KB. */
const cacheSize = 4096;
/** Further events are dropped, as upstream drops them. */
const maxQueuedEvents = 1000;
const maxQueuedChars = 4 * 1024 * 1024;
/** From this many different messages on, similar events are aggregated. */
const maxSimilar = 10;
/** Events are similar only if they follow each other within this time. */
const similarIntervalMs = 10 * 60_000;
/** The spam filter's tokens per component and object; one is added every `refillMs`. */
const burst = 25;
const refillMs = 5 * 60_000;
const aggregatePrefix = '(combined from similar events): ';

/**
 * Writes in the background. Repeated events increment the count of the existing Event, similar ones are aggregated,
 * and a component that records too many events about one object is rate limited.
 */
export class EventRecorder {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #written = new LruCache<WrittenEvent>({ maxWeight: cacheSize });
  readonly #similar = new LruCache<SimilarEvents>({ maxWeight: cacheSize });
  readonly #tokenBuckets = new LruCache<TokenBucket>({ maxWeight: cacheSize });
  /** The timestamp in the last Event's name. */
  #lastNameTimestampNs = 0n;
  /** Resolves after the last write; each write waits for the one before. */
  #writing: Promise<void> = Promise.resolve();
  #queuedEvents = 0;
  #queuedChars = 0;

  constructor(client: Client, clock: Clock, logger: Logger) {
    this.#client = client;
    this.#clock = clock;
    this.#logger = logger;
  }

  record(event: RecordedEvent): void {
    if (!this.#takeToken(event)) return;
    const { reason } = event;
    const json = JSON.stringify({ ...event, message: this.#aggregate(event) });
    if (this.#queuedEvents >= maxQueuedEvents || this.#queuedChars + json.length > maxQueuedChars) {
      this.#logger.verbose(2, { reason }, 'dropped an Event: too many are waiting to be written');
      return;
    }
    this.#queuedEvents++;
    this.#queuedChars += json.length;
    this.#writing = this.#writing
      // Queued as JSON, because parts of the texts of an object would keep the whole object in memory.
      .then(() => this.#write(JSON.parse(json) as RecordedEvent))
      .catch((error: unknown) => {
        // Most likely the namespace is terminating.
        if (error instanceof ApiError && error.code < 500) return;
        this.#logger.warn({ err: error, reason }, 'failed to write an Event');
      })
      .finally(() => {
        this.#queuedEvents--;
        this.#queuedChars -= json.length;
      });
  }

  /** Resolves once all recorded events are written. */
  async close(): Promise<void> {
    await this.#writing;
  }

  /** The spam filter: takes a token from the bucket of the component and object. Returns false if the bucket is empty. */
  #takeToken({ involvedObject, component }: RecordedEvent): boolean {
    const now = this.#clock.now();
    const { uid, namespace, kind, name } = involvedObject;
    const key = digestOf(JSON.stringify([component, uid, namespace, kind, name]));
    const bucket = this.#tokenBuckets.getOrCreate(key, () => ({ tokens: burst, refilledAt: now }));
    const newTokens = Math.floor((now - bucket.refilledAt) / refillMs);
    if (newTokens > 0) {
      bucket.tokens = Math.min(burst, bucket.tokens + newTokens);
      bucket.refilledAt += newTokens * refillMs;
    }
    if (bucket.tokens === 0) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Returns the message to write: with a prefix if the event is aggregated. */
  #aggregate(event: RecordedEvent): string {
    const { message } = event;
    const now = this.#clock.now();
    const key = eventKey({ ...event, message: '' });
    const similar = this.#similar.getOrCreate(key, () => ({
      messages: new Set<string>(),
      lastRecordedAt: now,
    }));
    if (now - similar.lastRecordedAt > similarIntervalMs) similar.messages.clear();
    similar.lastRecordedAt = now;
    if (similar.messages.size < maxSimilar) similar.messages.add(digestOf(message));
    return similar.messages.size < maxSimilar ? message : `${aggregatePrefix}${message}`;
  }

  async #write(event: RecordedEvent): Promise<void> {
    const isAggregated = event.message.startsWith(aggregatePrefix);
    const key = eventKey(isAggregated ? { ...event, message: aggregatePrefix } : event);
    const now = timestamp(this.#clock);
    const written = this.#written.get(key);
    if (written) {
      written.count += 1;
      try {
        await this.#client.update(manifest(event, written, now));
        return;
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 404)) throw error;
        // The Event has expired.
      }
    }
    const newEvent = { name: this.#nameFor(event.involvedObject), firstTimestamp: now, count: 1 };
    await this.#client.create(manifest(event, newEvent, now));
    this.#written.set(key, newEvent);
  }

  /** The timestamp in the name increases with every event, so names are unique. */
  #nameFor({ name }: InvolvedObject): string {
    const nowNs = BigInt(this.#clock.now()) * 1_000_000n;
    this.#lastNameTimestampNs = nowNs > this.#lastNameTimestampNs ? nowNs : this.#lastNameTimestampNs + 1n;
    return `${name}.${this.#lastNameTimestampNs.toString(16)}`;
  }
}

/** Events with the same key are one Event with a higher count. */
function eventKey({ involvedObject, type, reason, message, component }: RecordedEvent): string {
  const { apiVersion, kind, namespace, name, uid } = involvedObject;
  return digestOf(JSON.stringify([component, apiVersion, kind, namespace, name, uid, type, reason, message]));
}

function manifest(
  event: RecordedEvent,
  { name, firstTimestamp, count }: WrittenEvent,
  now: string,
): Manifest {
  const { involvedObject, type, reason, message, action, component } = event;
  // Events of cluster-scoped objects are written to the default namespace.
  const namespace = involvedObject.namespace ?? 'default';
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject,
    reason,
    message,
    ...(action !== undefined && { action }),
    source: { component },
    reportingComponent: component,
    type,
    firstTimestamp,
    lastTimestamp: now,
    count,
  } as Manifest;
}
