// Tests of cron schedules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchedule, type Schedule } from '../../apis/batch/schedule.ts';
import { utcOffsetMinutesAt, wallClockIn } from './local-time.ts';
import { dueTimesBetween, nextTime } from './schedule-times.ts';

const utc = wallClockIn('UTC');
const berlin = wallClockIn('Europe/Berlin');
const at = (text: string) => Date.parse(text);

function scheduleOf(text: string): Schedule {
  const schedule = parseSchedule(text);
  assert.ok(!('problem' in schedule));
  return schedule;
}

function times(text: string, clock: typeof utc, from: string, count: number): string[] {
  const found: string[] = [];
  let time: number | undefined = at(from);
  while (found.length < count) {
    time = nextTime(scheduleOf(text), clock, time);
    if (time === undefined) break;
    found.push(new Date(time).toISOString().slice(0, 16));
  }
  return found;
}

test('the next time is the first minute that matches all fields', () => {
  assert.deepEqual(times('* * * * *', utc, '2026-01-31T23:58:30Z', 3), [
    '2026-01-31T23:59',
    '2026-02-01T00:00',
    '2026-02-01T00:01',
  ]);
  assert.deepEqual(times('30 4 1 */3 *', utc, '2026-01-01T04:30:00Z', 2), [
    '2026-04-01T04:30',
    '2026-07-01T04:30',
  ]);
  assert.deepEqual(times('0 12 29 2 *', utc, '2026-01-01T00:00:00Z', 1), ['2028-02-29T12:00']);
  assert.deepEqual(times('0 0 30 2 *', utc, '2026-01-01T00:00:00Z', 1), []);
});

test('day of month or day of week is enough, unless one of them is *', () => {
  assert.deepEqual(times('0 0 13 * fri', utc, '2026-02-01T00:00:00Z', 4), [
    '2026-02-06T00:00',
    '2026-02-13T00:00',
    '2026-02-20T00:00',
    '2026-02-27T00:00',
  ]);
  assert.deepEqual(times('0 0 * * 0', utc, '2026-02-01T00:00:00Z', 1), ['2026-02-08T00:00']);
});

test('a time skipped by daylight saving does not occur, a repeated one occurs twice', () => {
  assert.deepEqual(times('30 2 * * *', berlin, '2026-03-28T00:00:00Z', 2), [
    '2026-03-28T01:30',
    '2026-03-30T00:30',
  ]);
  assert.deepEqual(times('30 2 * * *', berlin, '2026-10-24T12:00:00Z', 3), [
    '2026-10-25T00:30',
    '2026-10-25T01:30',
    '2026-10-26T01:30',
  ]);
  assert.deepEqual(times('0 0 * * *', berlin, '2026-03-28T12:00:00Z', 3), [
    '2026-03-28T23:00',
    '2026-03-29T22:00',
    '2026-03-30T22:00',
  ]);
  assert.equal(utcOffsetMinutesAt(berlin, at('2026-07-01T00:00:00Z')), 120);
  assert.equal(utcOffsetMinutesAt(wallClockIn('America/St_Johns'), at('2026-01-01T00:00:00Z')), -210);
});

test('of several missed times only the last one is started', () => {
  const due = (text: string, since: string, now: string) => {
    const { latest, count } = dueTimesBetween(scheduleOf(text), utc, at(since), at(now));
    return [latest === undefined ? undefined : new Date(latest).toISOString().slice(0, 19), count];
  };
  assert.deepEqual(due('0 * * * *', '2026-01-01T00:10:00Z', '2026-01-01T00:50:00Z'), [undefined, 0]);
  assert.deepEqual(due('0 * * * *', '2026-01-01T00:10:00Z', '2026-01-01T01:50:00Z'), [
    '2026-01-01T01:00:00',
    1,
  ]);
  assert.deepEqual(due('0 * * * *', '2026-01-01T00:10:00Z', '2026-01-01T05:50:00Z'), [
    '2026-01-01T05:00:00',
    5,
  ]);
  assert.deepEqual(
    due('* * * * *', '2020-01-01T00:00:00Z', '2026-01-01T00:00:30Z')[0],
    '2026-01-01T00:00:00',
  );
  assert.deepEqual(
    due('0 0 1 1 *', '1000-01-01T00:00:00Z', '2026-06-01T00:00:00Z')[0],
    '2026-01-01T00:00:00',
  );
  assert.deepEqual(due('@every 7s', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'), [
    '2026-01-01T00:59:58',
    514,
  ]);
});
