// cronjob-controller: the times of a cron schedule.
import type { CalendarSchedule, Schedule } from '../../apis/batch/schedule.ts';
import type { WallClock, WallTime } from './local-time.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Limit of the search, as some schedules never match (30 February). */
const farthest = 5 * 366 * day;
/** No DST transition moves clocks by more. */
const largestShift = 3 * hour;

/**
 * The first time after `time` at which local time matches the schedule. Local times that a DST transition skips do
 * not match, repeated ones match twice. Returns undefined if there is none within years.
 */
export function nextTime(schedule: Schedule, clock: WallClock, time: number): number | undefined {
  if ('everySeconds' in schedule) return Math.floor(time / 1000) * 1000 + schedule.everySeconds * 1000;
  let at = (Math.floor(time / minute) + 1) * minute;
  for (const last = time + farthest; at <= last; ) {
    const wall = clock(at);
    const step = toNextChance(schedule, wall);
    if (step === 0) return at;
    at += step;
  }
  return undefined;
}

/** A lower bound of the time until the schedule matches; 0 if it matches now. */
function toNextChance(schedule: CalendarSchedule, wall: WallTime): number {
  const sinceMidnight = wall.hour * hour + wall.minute * minute;
  if (!schedule.months.has(wall.month)) {
    const days = new Date(Date.UTC(wall.year, wall.month, 0)).getUTCDate() - wall.day + 1;
    return cautious(days * day - sinceMidnight);
  }
  if (!allowsDay(schedule, wall)) return cautious(day - sinceMidnight);
  if (!schedule.hours.has(wall.hour)) return hour - wall.minute * minute;
  return schedule.minutes.has(wall.minute) ? 0 : minute;
}

/** A DST transition in between may make a step too short; the search continues from there. */
const cautious = (step: number) => (step > largestShift ? step - largestShift : Math.min(step, hour));

function allowsDay(schedule: CalendarSchedule, wall: WallTime): boolean {
  const ofMonth = schedule.daysOfMonth.has(wall.day);
  const ofWeek = schedule.daysOfWeek.has(wall.dayOfWeek);
  return schedule.anyDayOfMonth || schedule.anyDayOfWeek ? ofMonth && ofWeek : ofMonth || ofWeek;
}

/** More missed times than this are reported. */
export const manyMissed = 100;

export interface Due {
  /** The latest missed time. */
  readonly time: number | undefined;
  readonly missed: number;
}

/**
 * The latest time of the schedule between `since` and `now`, and the number of times. The number is exact for few
 * times and extrapolated from the first two otherwise.
 */
export function lastDue(schedule: Schedule, clock: WallClock, since: number, now: number): Due {
  const first = nextTime(schedule, clock, since);
  if (first === undefined || first > now) return { time: undefined, missed: 0 };
  const second = nextTime(schedule, clock, first);
  if (second === undefined || second > now) return { time: first, missed: 1 };
  const between = second - first;
  const reckoned = Math.floor((now - first) / between) + 1;
  if ('everySeconds' in schedule) return { time: first + (reckoned - 1) * between, missed: reckoned };
  // Intervals may differ: the rest is stepped through one by one.
  let time = reckoned > manyMissed ? startNear(schedule, clock, first, now, between) : second;
  let missed = reckoned > manyMissed ? reckoned : 2;
  for (let next = nextTime(schedule, clock, time); next !== undefined && next <= now; ) {
    time = next;
    if (reckoned <= manyMissed) missed += 1;
    next = nextTime(schedule, clock, time);
  }
  return { time, missed };
}

/** A time of the schedule shortly before now. */
function startNear(
  schedule: Schedule,
  clock: WallClock,
  first: number,
  now: number,
  between: number,
): number {
  for (let back = between * 2; back < now - first; back *= 2) {
    const time = nextTime(schedule, clock, now - back);
    if (time !== undefined && time <= now) return time;
  }
  return first;
}
