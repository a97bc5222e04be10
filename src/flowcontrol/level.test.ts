// Tests of priority levels: dispatching, fairness, limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LevelFixture, wide } from './level.fixture.ts';
import type { Ticket } from './ticket.ts';
import { oneSeat } from './width.ts';

/** Two users whose requests are queued in different queues. */
function apart(fixture: LevelFixture): [string, string] {
  const first = 'user-0';
  for (let n = 1; ; n++) {
    if (fixture.flow(`user-${n}`).hand[0] !== fixture.flow(first).hand[0]) return [first, `user-${n}`];
  }
}

test('Level executes requests while seats are free, and the next one when a seat is released', () => {
  const fixture = new LevelFixture(2);
  const [a, b, c] = [fixture.ticket('u'), fixture.ticket('u'), fixture.ticket('u')];
  assert.deepEqual([a.state, b.state, c.state], ['executing', 'executing', 'waiting']);
  const decided: boolean[] = [];
  c.whenDecided = (executes) => decided.push(executes);
  a.release();
  assert.equal(c.state, 'executing');
  a.release();
  assert.deepEqual(decided, [true]);
  assert.equal(fixture.level.seatsInUse, 2);
});

test('Level without queues rejects a request without a free seat', () => {
  const fixture = new LevelFixture(1, { queues: 0 });
  fixture.ticket('u');
  assert.equal(fixture.arrive('u'), 'concurrency-limit');
  assert.equal(fixture.level.counts.rejected, 1);
});

test('Level rejects a request whose queue is full', () => {
  const fixture = new LevelFixture(1, { queueLengthLimit: 2 });
  const [one, other] = apart(fixture);
  fixture.ticket(one);
  fixture.ticket(one);
  fixture.ticket(one);
  assert.equal(fixture.arrive(one), 'queue-full');
  assert.equal(fixture.ticket(other).state, 'waiting');
});

test('an exempt level never queues, but counts', () => {
  const fixture = new LevelFixture(0, { isExempt: true, queues: 0 });
  const tickets = Array.from({ length: 20 }, () => fixture.ticket('u'));
  assert.equal(fixture.level.seatsInUse, 20);
  for (const ticket of tickets) ticket.release();
  assert.ok(fixture.level.isIdle);
});

test('a flow that floods its queue waits behind itself, not in front of another', () => {
  const fixture = new LevelFixture(1);
  const [noisy, quiet] = apart(fixture);
  const running = fixture.ticket(noisy);
  const flood = Array.from({ length: 50 }, () => fixture.ticket(noisy));
  const other = fixture.ticket(quiet);
  fixture.clock.advance(3);
  running.release();
  let served = 0;
  while (other.state === 'waiting') {
    served++;
    fixture.clock.advance(3);
    flood.find(({ state }) => state === 'executing')!.release();
  }
  assert.ok(served <= 2, `${served} of the flood came first`);
});

test('two flows with work to do get the same, whatever one of their requests takes', () => {
  const fixture = new LevelFixture(1);
  const [slow, quick] = apart(fixture);
  const time: Record<string, number> = { [slow]: 0, [quick]: 0 };
  const tickets = [slow, quick].flatMap((user) => Array.from({ length: 90 }, () => fixture.ticket(user)));
  for (let turn = 0; turn < 60; turn++) {
    const ticket = tickets.find(({ state }) => state === 'executing')!;
    const user = ticket.flow.distinguisher;
    const takes = user === slow ? 40 : 5;
    fixture.clock.advance(takes);
    time[user]! += takes;
    ticket.release();
  }
  const ratio = time[slow]! / time[quick]!;
  assert.ok(ratio > 0.7 && ratio < 1.4, `one got ${ratio.toFixed(2)} times as much as the other`);
});

test('an idle queue accumulates no credit', () => {
  const fixture = new LevelFixture(1);
  const [busy, late] = apart(fixture);
  for (let n = 0; n < 20; n++) {
    const ticket = fixture.ticket(busy);
    fixture.clock.advance(100);
    ticket.release();
  }
  const tickets = [busy, late].flatMap((user) => Array.from({ length: 20 }, () => fixture.ticket(user)));
  const first: string[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const ticket = tickets.find(({ state }) => state === 'executing')!;
    first.push(ticket.flow.distinguisher);
    fixture.clock.advance(3);
    ticket.release();
  }
  assert.ok(first.filter((user) => user === busy).length >= 4, first.join(' '));
});

test('a request wider than the level has it to itself', () => {
  const fixture = new LevelFixture(3);
  const [one, other] = apart(fixture);
  const small = fixture.ticket(one);
  const large = fixture.ticket(other, wide(5));
  assert.equal(large.state, 'waiting');
  small.release();
  assert.equal(large.state, 'executing');
  const next = fixture.ticket(one);
  assert.equal(next.state, 'waiting');
  large.release();
  assert.equal(next.state, 'executing');
});

test('seats for telling watches are kept for a while after a request is done', () => {
  const fixture = new LevelFixture(4);
  const ticket = fixture.ticket('u', { seats: 1, finalSeats: 4, finalMs: 10 });
  assert.equal(fixture.level.seatsInUse, 4);
  ticket.release();
  assert.equal(fixture.level.executing.size, 0);
  const waits = fixture.ticket('u');
  assert.equal(waits.state, 'waiting');
  fixture.clock.advance(10);
  assert.equal(waits.state, 'executing');
});

test('a cancelled request leaves the queue and unblocks those behind it', () => {
  const fixture = new LevelFixture(2);
  fixture.ticket('u');
  const large = fixture.ticket('u', wide(2));
  const small = fixture.ticket('u');
  assert.equal(small.state, 'waiting');
  fixture.level.giveUp(large, 'time-out');
  assert.equal(small.state, 'executing');
  assert.deepEqual([large.state, fixture.level.counts.timedOut], ['over', 1]);
  fixture.level.giveUp(large, 'cancelled');
  assert.equal(fixture.level.counts.cancelled, 0);
});

test('raising the limit dispatches queued requests; lowering it revokes no seats', () => {
  const fixture = new LevelFixture(1);
  const tickets = Array.from({ length: 5 }, () => fixture.ticket('u'));
  fixture.level.setLimit(4);
  assert.equal(tickets.filter(({ state }) => state === 'executing').length, 4);
  fixture.level.setLimit(2);
  assert.equal(fixture.level.seatsInUse, 4);
  tickets[0]!.release();
  assert.equal(tickets[4]!.state, 'waiting');
});

test('surplus queues stay until they are empty', () => {
  const fixture = new LevelFixture(1);
  const running = fixture.ticket('u');
  const waits = fixture.ticket('u');
  const { level } = fixture;
  const settings = { ...level.settings, queues: 0 };
  level.configuration = { ...level.configuration, settings };
  assert.equal(level.activeQueues.length, 1);
  running.release();
  assert.equal(waits.state, 'executing');
  waits.release();
  assert.equal(level.activeQueues.length, 0);
});

test('idle queues take no memory, however many there are', () => {
  const fixture = new LevelFixture(1, { queues: 10_000_000, handSize: 2 });
  const running = fixture.ticket('u');
  const waits = fixture.ticket('u');
  assert.equal(fixture.level.activeQueues.length, 2);
  running.release();
  assert.equal(waits.state, 'executing');
  waits.release();
  assert.equal(fixture.level.activeQueues.length, 0);
});

test('no seat is lost, none is taken beyond the limit, and every request ends exactly once', () => {
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
    acts('give up', 1000, 1),
    acts('wait', 50, 3),
    acts('limit', 8, 1),
    acts('queues', 5, 1),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const fixture = new LevelFixture(4, { queues: 4, handSize: 2, queueLengthLimit: 5 });
      const { level, clock } = fixture;
      const tickets: Ticket[] = [];
      const decided = new Map<Ticket, number>();
      let refused = 0;
      let highestLimit = level.limit;
      const inState = (state: Ticket['state']) => tickets.filter((ticket) => ticket.state === state);
      const check = () => {
        const executing = inState('executing');
        const waiting = inState('waiting');
        assert.equal(level.executing.size, executing.length);
        assert.equal(level.waiting, waiting.length);
        assert.equal(
          level.seatsWaiting,
          waiting.reduce((sum, { seats }) => sum + seats, 0),
        );
        const inUse = executing.reduce((sum, { seats }) => sum + seats, 0);
        assert.ok(level.seatsInUse >= inUse);
        assert.ok(level.seatsInUse <= highestLimit || executing.length <= 1, 'more seats than there may be');
        assert.equal(
          level.activeQueues.reduce((sum, queue) => sum + queue.waiting, 0),
          waiting.length,
        );
        assert.ok(level.activeQueues.every(({ isActive }) => isActive));
        if (waiting.length > 0) assert.ok(level.seatsInUse > 0, 'somebody waits for nothing');
        for (const queue of level.activeQueues) assert.ok(queue.seatsInUse >= 0 && queue.executing >= 0);
      };
      for (const { what, n, seats, finalMs } of steps) {
        if (what === 'arrive') {
          const work = finalMs === 0 ? wide(seats) : { ...oneSeat, finalSeats: seats, finalMs };
          const ticket = fixture.arrive(`user-${n}`, work);
          if (typeof ticket === 'string') refused++;
          else {
            tickets.push(ticket);
            if (ticket.state === 'waiting')
              ticket.whenDecided = () => decided.set(ticket, (decided.get(ticket) ?? 0) + 1);
          }
        } else if (what === 'release') {
          const running = inState('executing');
          running[n % (running.length || 1)]?.release();
        } else if (what === 'give up') {
          const waiting = inState('waiting');
          const ticket = waiting[n % (waiting.length || 1)];
          if (ticket) level.giveUp(ticket, 'cancelled');
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
        for (const ticket of inState('executing')) ticket.release();
        clock.advance(10);
        check();
      } while (inState('executing').length > 0);
      assert.ok(level.isIdle);
      assert.equal(inState('waiting').length, 0);
      assert.equal(level.counts.dispatched + level.counts.cancelled, tickets.length);
      assert.equal(level.counts.rejected, refused + level.counts.cancelled);
      for (const times of decided.values()) assert.equal(times, 1);
    }),
    { numRuns: 300 },
  );
});
