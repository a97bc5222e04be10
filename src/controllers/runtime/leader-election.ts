import type { Clock } from '../../base/clock.ts';
import type { Client, Manifest } from '../../client/client.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Logger } from '../../telemetry/log.ts';

export interface LeaderElectionConfig {
  readonly client: Client;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly logger: Logger;
  /** Who stands for election: no two of one cluster may be called the same. */
  readonly identity: string;
  /** The name of the lease, in the system's namespace. */
  readonly lease: string;
  readonly timing: LeaderElectionTiming;
}

/** How long each thing may take, in milliseconds. */
interface LeaderElectionTiming {
  /** A leader that has not renewed its lease for so long is given up by the others. Told to them in whole seconds. */
  readonly leaseDurationMs: number;
  /** A leader that could not renew it for so long gives up itself: before the others, whatever their clocks say. */
  readonly renewDeadlineMs: number;
  /** How often it is renewed, or asked for. */
  readonly retryPeriodMs: number;
}

/** What is led. */
export interface LeaderCallbacks {
  /** From now on the work is ours. */
  onStartedLeading(): void;
  /** From now on it is not. Resolves once nothing is done any more. */
  onStoppedLeading(): Promise<void>;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

type Lease = ApiObject & { readonly spec?: LeaseSpec };

/**
 * Lets one of many lead, by a Lease. Whether a lease has run out is measured from when we saw it renewed, by the time that
 * passes here: clocks of others need not agree with ours, and ours may be set meanwhile.
 */
export class LeaderElection {
  readonly #parts: LeaderElectionConfig;
  #led: LeaderCallbacks | undefined;
  #isLeading = false;
  /** The lease carries our name, as far as we know, also where it came too late for us to lead by it. */
  #isOurs = false;
  /** Until when nobody else can lead: by the time that passes, and by the clock, which also goes on while a machine sleeps. */
  #heldUntil = { elapsed: 0, now: 0 };
  #callOffGivingUp = () => {};
  /** The renewal of somebody else that was last seen, and when. A clock may show the same time twice, versions are never the same. */
  #seen = { version: '', at: 0 };
  #callOff = () => {};
  #asking: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: LeaderElectionConfig) {
    this.#parts = parts;
  }

  /** A process that has stood still does not lead any more when it wakes up, whichever of its timers comes first. */
  get isLeading(): boolean {
    const { clock } = this.#parts;
    const { elapsed, now } = this.#heldUntil;
    return this.#isLeading && clock.elapsed() < elapsed && clock.now() < now;
  }

  start(led: LeaderCallbacks): void {
    this.#led = led;
    this.#askAgainAndAgain();
  }

  #askAgainAndAgain(): void {
    const { clock, timing } = this.#parts;
    this.#asking = this.#ask().finally(() => {
      this.#asking = undefined;
      if (!this.#isClosed) this.#callOff = clock.after(timing.retryPeriodMs, () => this.#askAgainAndAgain());
    });
  }

  /** Makes way for others at once, so that they need not wait until the lease runs out. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#callOff();
    await this.#asking;
    await this.#lose();
    if (!this.#isOurs) return;
    await this.#release().catch((error: unknown) => {
      this.#parts.logger.warn({ err: error }, 'failed to release the leader lease');
    });
  }

  async #ask(): Promise<void> {
    const asked = this.#parts.clock.elapsed();
    try {
      const holder = await this.#acquire();
      if (holder !== 'unknown') this.#isOurs = holder === 'us';
      if (holder === 'us') this.#hold(asked);
      else if (holder === 'another') await this.#lose();
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'failed to acquire or renew the leader lease');
    }
  }

  #hold(since: number): void {
    const { clock, timing } = this.#parts;
    const until = since + timing.renewDeadlineMs;
    const left = until - clock.elapsed();
    if (this.#isClosed || left <= 0) return;
    this.#heldUntil = { elapsed: until, now: clock.now() + left };
    // Also where an answer never comes.
    this.#callOffGivingUp();
    this.#callOffGivingUp = clock.after(left, () => void this.#lose());
    if (this.#isLeading) return;
    this.#isLeading = true;
    this.#led?.onStartedLeading();
  }

  async #lose(): Promise<void> {
    this.#callOffGivingUp();
    if (!this.#isLeading) return;
    this.#isLeading = false;
    await this.#led?.onStoppedLeading();
  }

  /** Takes or renews the lease where it may. Where somebody else was faster at that, the next look tells who. */
  async #acquire(): Promise<'us' | 'another' | 'unknown'> {
    const { client, identity } = this.#parts;
    const current = await this.#read();
    const spec = current?.spec ?? {};
    const isOurs = spec.holderIdentity === identity;
    if (current && !isOurs && !this.#hasRunOut(current)) return 'another';
    const now = microTimestamp(this.#parts.clock.now());
    const next = this.#manifest({
      holderIdentity: identity,
      leaseDurationSeconds: this.#leaseSeconds,
      acquireTime: (isOurs && spec.acquireTime) || now,
      renewTime: now,
      leaseTransitions: (spec.leaseTransitions ?? 0) + (current && !isOurs ? 1 : 0),
    });
    try {
      const written = await (current ? client.update(withVersion(next, current)) : client.create(next));
      // By a clock that stands still nothing was changed, and nobody sees that we are there.
      return versionOf(written) === versionOf(current) ? 'unknown' : 'us';
    } catch (error) {
      if (error instanceof ApiError && error.code === 409) return 'unknown';
      throw error;
    }
  }

  get #leaseSeconds(): number {
    return Math.floor(this.#parts.timing.leaseDurationMs / 1000);
  }

  #hasRunOut(lease: Lease): boolean {
    const { holderIdentity = '', leaseDurationSeconds = this.#leaseSeconds } = lease.spec ?? {};
    if (holderIdentity === '') return true;
    const version = versionOf(lease);
    const now = this.#parts.clock.elapsed();
    if (this.#seen.version !== version) this.#seen = { version, at: now };
    return now - this.#seen.at > leaseDurationSeconds * 1000;
  }

  async #release(): Promise<void> {
    const current = await this.#read();
    if (current?.spec?.holderIdentity !== this.#parts.identity) return;
    const now = microTimestamp(this.#parts.clock.now());
    const { leaseTransitions = 0 } = current.spec;
    const free = { leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
    await this.#parts.client.update(withVersion(this.#manifest(free), current));
  }

  async #read(): Promise<Lease | undefined> {
    const { apiVersion, kind, metadata } = this.#manifest({});
    try {
      const reference = { apiVersion, kind, name: metadata.name!, namespace: metadata.namespace! };
      return (await this.#parts.client.get(reference)) as Lease;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  #manifest(spec: LeaseSpec): Manifest {
    const { dialect, lease: name } = this.#parts;
    const apiVersion = `${dialect.groupName('coordination')}/v1`;
    const metadata = { name, namespace: dialect.systemNamespace };
    return { apiVersion, kind: 'Lease', metadata, spec } as Manifest;
  }
}

const versionOf = (lease: ApiObject | undefined) => lease?.metadata.resourceVersion ?? '';

const withVersion = (next: Manifest, { metadata: { resourceVersion } }: ApiObject): Manifest => ({
  ...next,
  metadata: { ...next.metadata, ...(resourceVersion && { resourceVersion }) },
});

/** As leases carry it: RFC 3339 with microseconds, of which we know the first three. */
const microTimestamp = (now: number) => `${new Date(now).toISOString().slice(0, -1)}000Z`;
