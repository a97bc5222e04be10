// Tests of priority levels: dispatching, fairness, limits, seat demand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { oneSeat } from './flow-control.ts';
import { LevelFixture, wide } from './priority-level.fixture.ts';
import { type QueuedRequest, SeatDemand } from './priority-level.ts';

/** Two users whose requests are queued in different queues. */
function apart(fixture: LevelFixture): [string, string] {
  const first = 'user-0';
  for (let n = 1; ; n++) {
    if (fixture.flow(`user-${n}`).hand[0] !== fixture.flow(first).hand[0]) return [first, `user-${n}`];
  }
}

test('PriorityLevel executes requests while seats are free, and the next one when a seat is released', () => {
  const fixture = new LevelFixture(2);
  const [a, b, c] = [fixture.admitted('u'), fixture.admitted('u'), fixture.admitted('u')];
  assert.deepEqual([a.state, b.state, c.state], ['executing', 'executing', 'waiting']);
  const decided: boolean[] = [];
  c.onDecision = (executes) => decided.push(executes);
  a.release();
  assert.equal(c.state, 'executing');
  a.release();
  assert.deepEqual(decided, [true]);
  assert.equal(fixture.level.seatsInUse, 2);
});

test('PriorityLevel without queues rejects a request without a free seat', () => {
  const fixture = new LevelFixture(1, { queues: 0 });
  fixture.admitted('u');
  assert.equal(fixture.arrive('u'), 'concurrency-limit');
  assert.equal(fixture.level.counts.rejected, 1);
});

test('PriorityLevel rejects a request whose queue is full', () => {
  const fixture = new LevelFixture(1, { queueLengthLimit: 2 });
  const [one, other] = apart(fixture);
  fixture.admitted(one);
  fixture.admitted(one);
  fixture.admitted(one);
  assert.equal(fixture.arrive(one), 'queue-full');
  assert.equal(fixture.admitted(other).state, 'waiting');
});

test('an exempt level never queues, but counts seats', () => {
  const fixture = new LevelFixture(0, { isExempt: true, queues: 0 });
  const requests = Array.from({ length: 20 }, () => fixture.admitted('u'));
  assert.equal(fixture.level.seatsInUse, 20);
  for (const request of requests) request.release();
  assert.ok(fixture.level.isIdle);
});

test('a flow that floods its queue delays only itself', () => {
  const fixture = new LevelFixture(1);
  const [noisy, quiet] = apart(fixture);
  const running = fixture.admitted(noisy);
  const flood = Array.from({ length: 50 }, () => fixture.admitted(noisy));
  const other = fixture.admitted(quiet);
  fixture.clock.advance(3);
  running.release();
  let served = 0;
  while (other.state === 'waiting') {
    served++;
    fixture.clock.advance(3);
    flood.find(({ state }) => state === 'executing')!.release();
  }
  assert.ok(served <= 2, `${served} requests of the flood came first`);
});

test('two busy flows get the same execution time, however long their requests take', () => {
  const fixture = new LevelFixture(1);
  const [slow, quick] = apart(fixture);
  const time: Record<string, number> = { [slow]: 0, [quick]: 0 };
  const requests = [slow, quick].flatMap((user) => Array.from({ length: 90 }, () => fixture.admitted(user)));
  for (let round = 0; round < 60; round++) {
    const request = requests.find(({ state }) => state === 'executing')!;
    const user = request.flow.distinguisher;
    const executionMs = user === slow ? 40 : 5;
    fixture.clock.advance(executionMs);
    time[user]! += executionMs;
    request.release();
  }
  const ratio = time[slow]! / time[quick]!;
  assert.ok(ratio > 0.7 && ratio < 1.4, `one got ${ratio.toFixed(2)} times as much as the other`);
});

test('an idle queue accumulates no credit', () => {
  const fixture = new LevelFixture(1);
  const [busy, late] = apart(fixture);
  for (let n = 0; n < 20; n++) {
    const request = fixture.admitted(busy);
    fixture.clock.advance(100);
    request.release();
  }
  const requests = [busy, late].flatMap((user) => Array.from({ length: 20 }, () => fixture.admitted(user)));
  const first: string[] = [];
  for (let round = 0; round < 10; round++) {
    const request = requests.find(({ state }) => state === 'executing')!;
    first.push(request.flow.distinguisher);
    fixture.clock.advance(3);
    request.release();
  }
  assert.ok(first.filter((user) => user === busy).length >= 4, first.join(' '));
});

test('a request wider than the limit executes alone', () => {
  const fixture = new LevelFixture(3);
  const [one, other] = apart(fixture);
  const small = fixture.admitted(one);
  const large = fixture.admitted(other, wide(5));
  assert.equal(large.state, 'waiting');
  small.release();
  assert.equal(large.state, 'executing');
  const next = fixture.admitted(one);
  assert.equal(next.state, 'waiting');
  large.release();
  assert.equal(next.state, 'executing');
});

test('final seats are held for finalMs after a request finishes', () => {
  const fixture = new LevelFixture(4);
  const request = fixture.admitted('u', { seats: 1, finalSeats: 4, finalMs: 10 });
  assert.equal(fixture.level.seatsInUse, 1);
  const beside = fixture.admitted('u');
  assert.equal(beside.state, 'executing');
  request.release();
  beside.release();
  assert.equal(fixture.level.seatsInUse, 4);
  assert.equal(fixture.level.executing.size, 0);
  const waits = fixture.admitted('u');
  assert.equal(waits.state, 'waiting');
  fixture.clock.advance(10);
  assert.equal(waits.state, 'executing');
});

test('a cancelled request leaves the queue and unblocks the requests behind it', () => {
  const fixture = new LevelFixture(2);
  fixture.admitted('u');
  const large = fixture.admitted('u', wide(2));
  const small = fixture.admitted('u');
  assert.equal(small.state, 'waiting');
  fixture.level.cancel(large, 'time-out');
  assert.equal(small.state, 'executing');
  assert.deepEqual([large.state, fixture.level.counts.timedOut], ['done', 1]);
  fixture.level.cancel(large, 'cancelled');
  assert.equal(fixture.level.counts.cancelled, 0);
});

test('raising the limit dispatches queued requests; lowering it revokes no seats', () => {
  const fixture = new LevelFixture(1);
  const requests = Array.from({ length: 5 }, () => fixture.admitted('u'));
  fixture.level.setLimit(4);
  assert.equal(requests.filter(({ state }) => state === 'executing').length, 4);
  fixture.level.setLimit(2);
  assert.equal(fixture.level.seatsInUse, 4);
  requests[0]!.release();
  assert.equal(requests[4]!.state, 'waiting');
});

test('surplus queues are removed once they are empty', () => {
  const fixture = new LevelFixture(1);
  const running = fixture.admitted('u');
  const waits = fixture.admitted('u');
  const { level } = fixture;
  const settings = { ...level.settings, queues: 0 };
  level.configuration = { ...level.configuration, settings };
  assert.equal(level.queues.sorted.length, 1);
  running.release();
  assert.equal(waits.state, 'executing');
  waits.release();
  assert.equal(level.queues.sorted.length, 0);
});

test('idle queues take no memory', () => {
  const fixture = new LevelFixture(1, { queues: 10_000_000, handSize: 2 });
  const running = fixture.admitted('u');
  const waits = fixture.admitted('u');
  assert.equal(fixture.level.queues.sorted.length, 2);
  running.release();
  assert.equal(waits.state, 'executing');
  waits.release();
  assert.equal(fixture.level.queues.sorted.length, 0);
});

test('seats of executing requests never exceed the limit, every seat is released, and every request ends exactly once', () => {
  const acts = (what: string, most: number, weight: number) => ({
    weight,
    arbitrary: fc.record({
      what: fc.constant(what),
      n: fc.nat(most),
      seats: fc.integer({ min: 1, max: 4 }),
      finalMs: fc.nat(2),
    }),
  });
  const step = fc.oneof(
    acts('arrive', 9, 5),
    acts('release', 1000, 5),
    acts('cancel', 1000, 1),
    acts('wait', 50, 3),
    acts('limit', 8, 1),
    acts('queues', 5, 1),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const fixture = new LevelFixture(4, { queues: 4, handSize: 2, queueLengthLimit: 5 });
      const { level, clock } = fixture;
      const requests: QueuedRequest[] = [];
      const decided = new Map<QueuedRequest, number>();
      let rejected = 0;
      let highestLimit = level.limit;
      const inState = (state: QueuedRequest['state']) =>
        requests.filter((request) => request.state === state);
      const check = () => {
        const executing = inState('executing');
        const waiting = inState('waiting');
        assert.equal(level.executing.size, executing.length);
        assert.equal(level.queues.waiting, waiting.length);
        assert.equal(
          level.queues.seatsWaiting,
          waiting.reduce((sum, { seats }) => sum + seats, 0),
        );
        const inUse = executing.reduce((sum, { seats }) => sum + seats, 0);
        assert.ok(level.seatsInUse >= inUse);
        assert.ok(inUse <= highestLimit || executing.length <= 1, 'more seats in use than the limit');
        assert.equal(
          level.queues.sorted.reduce((sum, queue) => sum + queue.waiting, 0),
          waiting.length,
        );
        assert.ok(level.queues.sorted.every(({ isActive }) => isActive));
        if (waiting.length > 0) assert.ok(level.seatsInUse > 0, 'a request waits although no seat is in use');
        for (const queue of level.queues.sorted) assert.ok(queue.seatsInUse >= 0 && queue.executing >= 0);
      };
      for (const { what, n, seats, finalMs } of steps) {
        if (what === 'arrive') {
          const work = finalMs === 0 ? wide(seats) : { ...oneSeat, finalSeats: seats, finalMs };
          const request = fixture.arrive(`user-${n}`, work);
          if (typeof request === 'string') rejected++;
          else {
            requests.push(request);
            if (request.state === 'waiting')
              request.onDecision = () => decided.set(request, (decided.get(request) ?? 0) + 1);
          }
        } else if (what === 'release') {
          const running = inState('executing');
          running[n % (running.length || 1)]?.release();
        } else if (what === 'cancel') {
          const waiting = inState('waiting');
          const request = waiting[n % (waiting.length || 1)];
          if (request) level.cancel(request, 'cancelled');
        } else if (what === 'limit') {
          highestLimit = Math.max(highestLimit, n, level.seatsInUse);
          level.setLimit(n);
        } else if (what === 'queues') {
          // Flows with the old hands are dropped with them, as by a new configuration.
          const settings = { ...level.settings, queues: Math.max(2, n) };
          level.configuration = { ...level.configuration, settings };
          fixture.forgetFlows();
        } else clock.advance(n);
        check();
      }
      do {
        for (const request of inState('executing')) request.release();
        clock.advance(10);
        check();
      } while (inState('executing').length > 0);
      assert.ok(level.isIdle);
      assert.equal(inState('waiting').length, 0);
      assert.equal(level.counts.dispatched + level.counts.cancelled, requests.length);
      assert.equal(level.counts.rejected, rejected + level.counts.cancelled);
      for (const times of decided.values()) assert.equal(times, 1);
    }),
    { numRuns: 300 },
  );
});

test('SeatDemand summarizes a period and decays slowly', () => {
  const demand = new SeatDemand(0);
  demand.set(10, 0);
  demand.set(0, 5000);
  const first = demand.summarize(10_000);
  assert.deepEqual([first.highest, first.average, first.deviation, first.smoothed], [10, 5, 5, 10]);
  const second = demand.summarize(20_000);
  assert.deepEqual([second.highest, second.average], [0, 0]);
  assert.ok(Math.abs(second.smoothed - 9.77) < 1e-9);
});

test('SeatDemand starts a period with the current demand, and tolerates a clock set back', () => {
  const demand = new SeatDemand(1000);
  demand.set(3, 1000);
  demand.summarize(2000);
  demand.set(1, 1500);
  const { highest, average } = demand.summarize(2500);
  assert.equal(highest, 3);
  assert.ok(average > 0);
});
