// Records Events about objects, with the correlation of client-go's tools/record: deduplication, aggregation, spam
// filter.
import { type Clock, timestamp } from '../../base/clock.ts';
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
  readonly messages: Set<string>;
  since: number;
}

/** Token bucket of the spam filter, by component and object. */
interface TokenBucket {
  left: number;
  at: number;
}

const cacheSize = 4096;
const maxSimilar = 10;
const similarIntervalMs = 10 * 60_000;
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
  readonly #written = new LruCache<WrittenEvent>(cacheSize);
  readonly #similar = new LruCache<SimilarEvents>(cacheSize);
  readonly #tokenBuckets = new LruCache<TokenBucket>(cacheSize);
  #lastName = 0n;
  #writing: Promise<void> = Promise.resolve();

  constructor(client: Client, clock: Clock, logger: Logger) {
    this.#client = client;
    this.#clock = clock;
    this.#logger = logger;
  }

  record(happening: RecordedEvent): void {
    if (!this.#isAllowed(happening)) return;
    const message = this.#aggregate(happening);
    this.#writing = this.#writing
      .then(() => this.#write({ ...happening, message }))
      .catch((error: unknown) => {
        // Most likely the namespace is terminating.
        if (error instanceof ApiError && error.code < 500) return;
        this.#logger.warn({ err: error, reason: happening.reason }, 'failed to write an Event');
      });
  }

  /** Resolves once all recorded events are written. */
  async close(): Promise<void> {
    await this.#writing;
  }

  #isAllowed({ involvedObject, component }: RecordedEvent): boolean {
    const now = this.#clock.now();
    const key = JSON.stringify([
      component,
      involvedObject.uid,
      involvedObject.namespace,
      involvedObject.kind,
      involvedObject.name,
    ]);
    const allowance = this.#tokenBuckets.getOrCreate(key, () => ({ left: burst, at: now }));
    const regained = Math.floor((now - allowance.at) / refillMs);
    if (regained > 0) {
      allowance.left = Math.min(burst, allowance.left + regained);
      allowance.at += regained * refillMs;
    }
    if (allowance.left === 0) return false;
    allowance.left -= 1;
    return true;
  }

  #aggregate(happening: RecordedEvent): string {
    const { message } = happening;
    const now = this.#clock.now();
    const key = identityOf({ ...happening, message: '' });
    const alike = this.#similar.getOrCreate(key, () => ({ messages: new Set<string>(), since: now }));
    if (now - alike.since > similarIntervalMs) alike.messages.clear();
    alike.since = now;
    alike.messages.add(message);
    return alike.messages.size < maxSimilar ? message : `${aggregatePrefix}${message}`;
  }

  async #write(happening: RecordedEvent): Promise<void> {
    const isCombined = happening.message.startsWith(aggregatePrefix);
    const key = identityOf(isCombined ? { ...happening, message: aggregatePrefix } : happening);
    const now = timestamp(this.#clock);
    const written = this.#written.get(key);
    if (written) {
      written.count += 1;
      try {
        await this.#client.update(manifest(happening, written, now));
        return;
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 404)) throw error;
        // The Event has expired.
      }
    }
    const fresh = { name: this.#nameFor(happening.involvedObject), firstTimestamp: now, count: 1 };
    await this.#client.create(manifest(happening, fresh, now));
    this.#written.set(key, fresh);
  }

  /** The timestamp in the name increases with every event, so names are unique. */
  #nameFor({ name }: InvolvedObject): string {
    const now = BigInt(this.#clock.now()) * 1_000_000n;
    this.#lastName = now > this.#lastName ? now : this.#lastName + 1n;
    return `${name}.${this.#lastName.toString(16)}`;
  }
}

function identityOf({ involvedObject, type, reason, message, component }: RecordedEvent): string {
  const { apiVersion, kind, namespace, name, uid } = involvedObject;
  return JSON.stringify([component, apiVersion, kind, namespace, name, uid, type, reason, message]);
}

function manifest(
  happening: RecordedEvent,
  { name, firstTimestamp, count }: WrittenEvent,
  now: string,
): Manifest {
  const { involvedObject, type, reason, message, action, component } = happening;
  // Events of cluster-scoped objects are written to the default namespace.
  const namespace = involvedObject.namespace ?? 'default';
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: involvedObject,
    reason,
    message,
    ...(action !== undefined && { action }),
    source: { component: component },
    reportingComponent: component,
    type,
    firstTimestamp,
    lastTimestamp: now,
    count,
  } as Manifest;
}
