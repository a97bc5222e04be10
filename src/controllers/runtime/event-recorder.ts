import type { Clock } from '../../base/clock.ts';
import { RecentlyUsed } from '../../base/recently-used.ts';
import type { Client, Manifest } from '../../client/client.ts';
import { ApiError } from '../../errors/status.ts';
import { timestamp } from '../../kind/time.ts';
import type { Logger } from '../../telemetry/log.ts';

/** What something happened to. */
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
  /** What was done, or failed to be. */
  readonly action?: string;
  /** The component that reports it. */
  readonly component: string;
}

/** An event that was written, to be counted up when the same happens again. */
interface Written {
  readonly name: string;
  readonly firstTimestamp: string;
  count: number;
}

/** What is alike but for its message: many of these become one event. */
interface Alike {
  readonly messages: Set<string>;
  since: number;
}

/** What one component may still say of one object. */
interface Allowance {
  left: number;
  at: number;
}

const remembered = 4096;
const mostAlike = 10;
const alikeWithin = 10 * 60_000;
const allowedAtOnce = 25;
const msForOneMore = 5 * 60_000;
const combined = '(combined from similar events): ';

/**
 * Reports what happens as Events, without making anybody wait. What happens again is counted in the event there is, what is
 * alike but for its message is put together, and who reports too much of one object is not heard for a while.
 */
export class EventRecorder {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #written = new RecentlyUsed<Written>(remembered);
  readonly #alike = new RecentlyUsed<Alike>(remembered);
  readonly #allowances = new RecentlyUsed<Allowance>(remembered);
  #lastName = 0n;
  #writing: Promise<void> = Promise.resolve();

  constructor(client: Client, clock: Clock, logger: Logger) {
    this.#client = client;
    this.#clock = clock;
    this.#logger = logger;
  }

  record(happening: RecordedEvent): void {
    if (!this.#isAllowed(happening)) return;
    const message = this.#combined(happening);
    this.#writing = this.#writing
      .then(() => this.#write({ ...happening, message }))
      .catch((error: unknown) => {
        // The namespace is on its way out, most likely.
        if (error instanceof ApiError && error.code < 500) return;
        this.#logger.warn({ err: error, reason: happening.reason }, 'failed to write an Event');
      });
  }

  /** Resolves once everything reported so far has been written. */
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
    const allowance = this.#allowances.getOr(key, () => ({ left: allowedAtOnce, at: now }));
    const regained = Math.floor((now - allowance.at) / msForOneMore);
    if (regained > 0) {
      allowance.left = Math.min(allowedAtOnce, allowance.left + regained);
      allowance.at += regained * msForOneMore;
    }
    if (allowance.left === 0) return false;
    allowance.left -= 1;
    return true;
  }

  #combined(happening: RecordedEvent): string {
    const { message } = happening;
    const now = this.#clock.now();
    const key = identityOf({ ...happening, message: '' });
    const alike = this.#alike.getOr(key, () => ({ messages: new Set<string>(), since: now }));
    if (now - alike.since > alikeWithin) alike.messages.clear();
    alike.since = now;
    alike.messages.add(message);
    return alike.messages.size < mostAlike ? message : `${combined}${message}`;
  }

  async #write(happening: RecordedEvent): Promise<void> {
    const isCombined = happening.message.startsWith(combined);
    const key = identityOf(isCombined ? { ...happening, message: combined } : happening);
    const now = timestamp(this.#clock);
    const written = this.#written.get(key);
    if (written) {
      written.count += 1;
      try {
        await this.#client.update(manifest(happening, written, now));
        return;
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 404)) throw error;
        // It has grown old and gone.
      }
    }
    const fresh = { name: this.#nameFor(happening.involvedObject), firstTimestamp: now, count: 1 };
    await this.#client.create(manifest(happening, fresh, now));
    this.#written.set(key, fresh);
  }

  /** The time in it goes up with every event, so that no two have the same. */
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

function manifest(happening: RecordedEvent, { name, firstTimestamp, count }: Written, now: string): Manifest {
  const { involvedObject, type, reason, message, action, component } = happening;
  // What has no namespace is reported in the one that is always there.
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
