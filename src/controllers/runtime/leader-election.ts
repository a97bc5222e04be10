// Leader election with a Lease, as in client-go's tools/leaderelection.
import type { Clock } from '../../base/clock.ts';
import type { Client, Manifest } from '../../client/client.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Fence } from '../../store/store.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { Leadership } from './leader-store.ts';

export interface LeaderElectionConfig {
  /** Reads, renews and releases the Lease. */
  readonly client: Client;
  /** Acquires the Lease: its write raises the fence that is named as the Lease. */
  readonly acquiringClient: Client;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly logger: Logger;
  /** Unique among all candidates. */
  readonly identity: string;
  /** The name of the Lease, in the system namespace. */
  readonly leaseName: string;
  readonly timing: LeaderElectionTiming;
}

interface LeaderElectionTiming {
  /** Other candidates take over a lease that was not renewed for this long. The Lease stores it in whole seconds. */
  readonly leaseDurationMs: number;
  /** The leader steps down if it could not renew for this long. Shorter than the lease duration. */
  readonly renewDeadlineMs: number;
  /** Interval between attempts to acquire or renew. */
  readonly retryPeriodMs: number;
}

export interface LeaderCallbacks {
  onStartedLeading(): void;
  /** Resolves once all work that requires leadership has stopped. */
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
 * Expiry is measured with the local monotonic clock from the moment a renewal was observed: clocks of candidates need
 * not agree, and the wall clock may be set meanwhile.
 */
export class LeaderElection implements Leadership {
  readonly #config: LeaderElectionConfig;
  #callbacks: LeaderCallbacks | undefined;
  #isLeading = false;
  /** The Lease names this candidate, as far as known, even if its renewal came too late to lead. */
  #isHolder = false;
  /**
   * Until when no other candidate can lead, by the monotonic clock and by the wall clock, which also advances
   * during suspend.
   */
  #heldUntil = { monotonicMs: 0, wallMs: 0 };
  #cancelDeadline = () => {};
  #fence: Fence | undefined;
  /**
   * The resourceVersion of another holder's Lease, and when this candidate first saw it, by the monotonic clock. The
   * resourceVersion changes with every renewal, even if renewTime does not.
   */
  #lastSeen = { resourceVersion: '', monotonicMs: 0 };
  #cancelRetry = () => {};
  #attempt: Promise<void> | undefined;
  #isClosed = false;

  constructor(config: LeaderElectionConfig) {
    this.#config = config;
  }

  /** Checks the clocks, as timers may fire late after the process was suspended. */
  get isLeading(): boolean {
    const { clock } = this.#config;
    const { monotonicMs, wallMs } = this.#heldUntil;
    return this.#isLeading && clock.elapsed() < monotonicMs && clock.now() < wallMs;
  }

  get fence(): Fence | undefined {
    return this.#fence;
  }

  /** A write that was under way since before this server acquired the Lease again says nothing about now. */
  onFencedOff(fence: Fence): void {
    if (fence === this.#fence) void this.#stepDown();
  }

  start(callbacks: LeaderCallbacks): void {
    this.#callbacks = callbacks;
    this.#run();
  }

  /** Makes an attempt, and schedules the next one after it. */
  #run(): void {
    const { clock, timing } = this.#config;
    this.#attempt = this.#tryAcquireOrRenew().finally(() => {
      this.#attempt = undefined;
      if (!this.#isClosed) this.#cancelRetry = clock.after(timing.retryPeriodMs, () => this.#run());
    });
  }

  /** Releases the lease, so that other candidates need not wait for its expiry. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    await this.#attempt;
    await this.#stepDown();
    if (!this.#isHolder) return;
    await this.#release().catch((error: unknown) => {
      this.#config.logger.warn({ err: error }, 'failed to release the leader lease');
    });
  }

  async #tryAcquireOrRenew(): Promise<void> {
    const attemptStart = this.#config.clock.elapsed();
    try {
      const holder = await this.#acquire();
      if (holder !== 'unknown') this.#isHolder = holder === 'us';
      if (holder === 'us') this.#lead(attemptStart);
      else if (holder === 'another') await this.#stepDown();
    } catch (error) {
      this.#config.logger.warn({ err: error }, 'failed to acquire or renew the leader lease');
    }
  }

  /** The deadline counts from the start of the attempt: the store may have written the renewal at any time since then. */
  #lead(attemptStart: number): void {
    const { clock, timing } = this.#config;
    const deadline = attemptStart + timing.renewDeadlineMs;
    const remainingMs = deadline - clock.elapsed();
    if (this.#isClosed || remainingMs <= 0) return;
    this.#heldUntil = { monotonicMs: deadline, wallMs: clock.now() + remainingMs };
    // Covers renewals that never get a response.
    this.#cancelDeadline();
    this.#cancelDeadline = clock.after(remainingMs, () => void this.#stepDown());
    if (this.#isLeading) return;
    this.#isLeading = true;
    this.#callbacks?.onStartedLeading();
  }

  async #stepDown(): Promise<void> {
    this.#cancelDeadline();
    if (!this.#isLeading) return;
    this.#isLeading = false;
    await this.#callbacks?.onStoppedLeading();
  }

  /** Acquires or renews the lease if possible, and returns its holder. After a conflict the next attempt reads the holder. */
  async #acquire(): Promise<'us' | 'another' | 'unknown'> {
    const { identity, leaseName: name } = this.#config;
    const current = await this.#read();
    const spec = current?.spec ?? {};
    const isOurs = spec.holderIdentity === identity;
    if (current && !isOurs && !this.#isExpired(current)) return 'another';
    // A candidate that held the lease but did not lead, perhaps after another server had led, acquires it again.
    const isRenewal = isOurs && this.#isLeading;
    const client = isRenewal ? this.#config.client : this.#config.acquiringClient;
    const now = microTimestamp(this.#config.clock.now());
    const renewed = this.#manifest({
      holderIdentity: identity,
      leaseDurationSeconds: this.#leaseSeconds,
      acquireTime: (isOurs && spec.acquireTime) || now,
      renewTime: now,
      leaseTransitions: (spec.leaseTransitions ?? 0) + (current && !isOurs ? 1 : 0),
    });
    try {
      const written = await (current
        ? client.update(withResourceVersion(renewed, current))
        : client.create(renewed));
      // An unchanged object means that the clock stands still, and other candidates see no renewal.
      if (resourceVersionOf(written) === resourceVersionOf(current)) return 'unknown';
      if (!isRenewal) this.#fence = { name, raisedAt: Number(resourceVersionOf(written)) };
      return 'us';
    } catch (error) {
      if (error instanceof ApiError && error.code === 409) return 'unknown';
      throw error;
    }
  }

  get #leaseSeconds(): number {
    return Math.floor(this.#config.timing.leaseDurationMs / 1000);
  }

  #isExpired(lease: Lease): boolean {
    const { holderIdentity = '', leaseDurationSeconds = this.#leaseSeconds } = lease.spec ?? {};
    if (holderIdentity === '') return true;
    const resourceVersion = resourceVersionOf(lease);
    const monotonicMs = this.#config.clock.elapsed();
    if (this.#lastSeen.resourceVersion !== resourceVersion) this.#lastSeen = { resourceVersion, monotonicMs };
    return monotonicMs - this.#lastSeen.monotonicMs > leaseDurationSeconds * 1000;
  }

  async #release(): Promise<void> {
    const current = await this.#read();
    if (current?.spec?.holderIdentity !== this.#config.identity) return;
    const now = microTimestamp(this.#config.clock.now());
    const { leaseTransitions = 0 } = current.spec;
    const releasedSpec = { leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
    await this.#config.client.update(withResourceVersion(this.#manifest(releasedSpec), current));
  }

  async #read(): Promise<Lease | undefined> {
    const { apiVersion, kind, metadata } = this.#manifest({});
    try {
      const reference = { apiVersion, kind, name: metadata.name!, namespace: metadata.namespace! };
      return (await this.#config.client.get(reference)) as Lease;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  #manifest(spec: LeaseSpec): Manifest {
    const { dialect, leaseName: name } = this.#config;
    const apiVersion = `${dialect.groupName('coordination')}/v1`;
    const metadata = { name, namespace: dialect.systemNamespace };
    return { apiVersion, kind: 'Lease', metadata, spec } as Manifest;
  }
}

const resourceVersionOf = (lease: ApiObject | undefined) => lease?.metadata.resourceVersion ?? '';

const withResourceVersion = (renewed: Manifest, { metadata: { resourceVersion } }: ApiObject): Manifest => ({
  ...renewed,
  metadata: { ...renewed.metadata, ...(resourceVersion && { resourceVersion }) },
});

/** MicroTime: RFC 3339 with microseconds. */
const microTimestamp = (now: number) => `${new Date(now).toISOString().slice(0, -1)}000Z`;
