// Tests of leader election.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { dialects } from '../../dialect/index.ts';
import { defaultOptions } from '../../server/options.ts';
import { runServer } from '../../server/server.ts';
import type { RunningServer } from '../../server/server-parts.ts';
import { silentLogger } from '../../telemetry/log.ts';
import { LeaderElection } from './leader-election.ts';

const dialect = dialects.orch;
const timing = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
const apiVersion = `${dialect.groupName('coordination')}/v1`;
const reference = { apiVersion, kind: 'Lease', name: 'test', namespace: dialect.systemNamespace };

/** A manual clock: monotonic time advances with `pass`, the wall clock can be set. */
class SteppedClock implements Clock {
  #elapsed = 0;
  #timers: { readonly at: number; readonly ms: number; readonly run: () => void }[] = [];
  shown: () => number = () => Date.parse('2026-01-01T12:00:00Z') + this.#elapsed;

  now = () => this.shown();
  elapsed = () => this.#elapsed;

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#elapsed + ms, ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Advances the clock; timers that fall due meanwhile fire late, as after a suspend. */
  async pass(ms: number): Promise<void> {
    this.#elapsed += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#elapsed);
    this.#timers = this.#timers.filter(({ at }) => at > this.#elapsed);
    for (const { run } of due) run();
    await this.looked();
  }

  /** Resolves once the election has read the lease and waits for its next attempt. */
  async looked(): Promise<void> {
    while (!this.#timers.some(({ ms }) => ms === timing.retryPeriodMs)) await setImmediate();
  }
}

describe('the lease of a leader', () => {
  let server: RunningServer;
  before(async () => {
    const options = { ...defaultOptions, storage: 'memory', httpPort: 0, securePort: undefined } as const;
    server = await runServer(options, { logger: silentLogger });
  });
  after(() => server.stop());
  beforeEach(() => server.client.delete(reference).catch(() => {}));

  const parts = () => ({
    ...{ client: server.client, acquiringClient: server.client, dialect, logger: silentLogger, timing },
    leaseName: reference.name,
  });

  async function stand(identity: string) {
    const clock = new SteppedClock();
    const election = new LeaderElection({ ...parts(), clock, identity });
    election.start({ onStartedLeading() {}, async onStoppedLeading() {} });
    await clock.looked();
    return { election, clock };
  }

  const holder = async () => {
    const { spec } = (await server.client.get(reference)) as { spec?: { holderIdentity?: string } };
    return spec?.holderIdentity;
  };

  test('is acquired after it was not renewed for its duration, by the local monotonic clock', async () => {
    await stand('first');
    const { clock, election } = await stand('second');
    clock.shown = () => Date.parse('2036-01-01T00:00:00Z');
    await clock.pass(timing.leaseDurationMs);
    assert.equal(await holder(), 'first');
    await clock.pass(timing.retryPeriodMs);
    assert.equal(await holder(), 'second');
    assert.equal(election.isLeading, true);
  });

  test('is renewed also if a clock that was set back repeats an earlier renewTime', async () => {
    const first = await stand('first');
    const second = await stand('second');
    const { shown } = first.clock;
    first.clock.shown = () => shown() - 60_000;
    for (let passed = 0; passed < 60_000; passed += timing.retryPeriodMs)
      await first.clock.pass(timing.retryPeriodMs);
    // The process was suspended all that time.
    await second.clock.pass(60_000);
    assert.equal(await holder(), 'first');
    assert.equal(second.election.isLeading, false);
  });

  test('is not renewed by a leader with a stopped clock, which gives up before others acquire it', async () => {
    const first = await stand('first');
    const second = await stand('second');
    const still = first.clock.now();
    first.clock.shown = () => still;
    for (let passed = 0; passed < 20_000; passed += timing.retryPeriodMs) {
      await first.clock.pass(timing.retryPeriodMs);
      await second.clock.pass(timing.retryPeriodMs);
      assert.ok(!first.election.isLeading || !second.election.isLeading);
    }
    assert.equal(second.election.isLeading, true);
  });

  test('has a fence that renewals keep and a new acquisition replaces', async () => {
    const { clock, election } = await stand('first');
    const { fence } = election;
    assert.equal(fence?.name, reference.name);
    await clock.pass(timing.retryPeriodMs);
    assert.equal(election.fence, fence);
    election.onFencedOff(fence!);
    assert.equal(election.isLeading, false);
    await clock.pass(timing.retryPeriodMs);
    assert.equal(election.isLeading, true);
    assert.ok(Number(election.fence?.raisedAt) > Number(fence?.raisedAt));
    // A write that was under way since before says nothing about the new acquisition.
    election.onFencedOff(fence!);
    assert.equal(election.isLeading, true);
  });

  test('is released also if it is acquired while the server stops', async () => {
    const election = new LeaderElection({ ...parts(), clock: new SteppedClock(), identity: 'first' });
    let led = false;
    election.start({ onStartedLeading: () => (led = true), async onStoppedLeading() {} });
    await election.close();
    assert.equal(led, false);
    assert.equal(await holder(), undefined);
  });
});
