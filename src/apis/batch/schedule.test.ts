import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CalendarSchedule, parseSchedule, type Schedule } from './schedule.ts';

function calendar(text: string): CalendarSchedule {
  const schedule = parseSchedule(text);
  assert.ok('minutes' in schedule, JSON.stringify(schedule));
  return schedule;
}

const problem = (text: string) => {
  const schedule: Schedule | { problem: string } = parseSchedule(text);
  return 'problem' in schedule ? schedule.problem : undefined;
};

test('the five fields are minute, hour, day of month, month and day of week', () => {
  const schedule = calendar('1 2 3 4 5');
  assert.deepEqual(schedule, {
    minutes: new Set([1]),
    hours: new Set([2]),
    daysOfMonth: new Set([3]),
    months: new Set([4]),
    daysOfWeek: new Set([5]),
    anyDayOfMonth: false,
    anyDayOfWeek: false,
  });
});

test('a field has values, ranges, steps and names in any case', () => {
  assert.deepEqual([...calendar('1-5/2,30 * * * *').minutes], [1, 3, 5, 30]);
  assert.deepEqual([...calendar('*/20 * * * *').minutes], [0, 20, 40]);
  assert.deepEqual([...calendar('50/4 * * * *').minutes], [50, 54, 58]);
  assert.deepEqual([...calendar('* * * JAN-mar *').months], [1, 2, 3]);
  assert.deepEqual([...calendar('* * * * Sun,sat').daysOfWeek], [0, 6]);
  assert.equal(calendar(', * * * *').minutes.size, 0);
});

test('a schedule knows which of the kinds of days are any', () => {
  assert.ok(calendar('0 0 * * 1').anyDayOfMonth);
  assert.ok(calendar('0 0 ? * 1').anyDayOfMonth);
  assert.ok(!calendar('0 0 */2 * 1').anyDayOfMonth);
  assert.ok(!calendar('0 0 1-31 * 1').anyDayOfMonth);
  assert.ok(calendar('0 0 1 * *').anyDayOfWeek);
});

test('shorthands stand for what they say', () => {
  for (const [shorthand, text] of [
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    ['@monthly', '0 0 1 * *'],
    ['@weekly', '0 0 * * 0'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@hourly', '0 * * * *'],
  ] as const) {
    assert.deepEqual(parseSchedule(shorthand), parseSchedule(text));
  }
});

test('an interval is whole seconds, at least one', () => {
  assert.deepEqual(parseSchedule('@every 1h30m10s'), { everySeconds: 5410 });
  assert.deepEqual(parseSchedule('@every 1.5s'), { everySeconds: 1 });
  assert.deepEqual(parseSchedule('@every 100ms'), { everySeconds: 1 });
  assert.deepEqual(parseSchedule('@every -5m'), { everySeconds: 1 });
});

test('a time zone in the text is read', () => {
  assert.equal((parseSchedule('CRON_TZ=Europe/Berlin 0 0 * * *') as Schedule).timeZone, 'Europe/Berlin');
  assert.equal((parseSchedule('TZ=UTC @hourly') as Schedule).timeZone, 'UTC');
  assert.equal(problem('TZ=Nope 0 0 * * *'), 'provided bad location Nope: unknown time zone Nope');
  assert.equal(problem('TZ=UTC'), 'expected exactly 5 fields, found 0: []');
});

for (const [text, expected] of [
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['* * * * 7', 'end of range (7) above maximum (6): 7'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['*/2/3 * * * *', 'too many slashes: */2/3'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['*/-1 * * * *', 'negative number (-1) not allowed: -1'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['@nope', 'unrecognized descriptor: @nope'],
  ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
] as const) {
  test(`the schedule ${JSON.stringify(text)} is rejected with the reason`, () => {
    assert.equal(problem(text), expected);
  });
}
