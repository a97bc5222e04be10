// cronjob-controller: the times of a cron schedule.
import type { CalendarSchedule, Schedule } from '../../apis/batch/schedule.ts';
import type { WallClock, WallTime } from './local-time.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Limit of the search, as some schedules never match (30 February). */
const searchLimit = 5 * 366 * day;
/** No DST transition moves clocks by more. */
const maxDstShift = 3 * hour;

/**
 * The first time after `time` at which local time matches the schedule. Local times that a DST transition skips do
 * not match, repeated ones match twice. Returns undefined if there is none within years.
 */
export function nextTime(schedule: Schedule, clock: WallClock, time: number): number | undefined {
  if ('everySeconds' in schedule) return Math.floor(time / 1000) * 1000 + schedule.everySeconds * 1000;
  let candidate = (Math.floor(time / minute) + 1) * minute;
  for (const end = time + searchLimit; candidate <= end; ) {
    const wall = clock(candidate);
    const step = timeToCandidate(schedule, wall);
    if (step === 0) return candidate;
    candidate += step;
  }
  return undefined;
}

/** A lower bound of the time until the schedule matches; 0 if it matches now. */
function timeToCandidate(schedule: CalendarSchedule, wall: WallTime): number {
  const sinceMidnight = wall.hour * hour + wall.minute * minute;
  if (!schedule.months.has(wall.month)) {
    const days = new Date(Date.UTC(wall.year, wall.month, 0)).getUTCDate() - wall.day + 1;
    return stepBeforeDst(days * day - sinceMidnight);
  }
  if (!allowsDay(schedule, wall)) return stepBeforeDst(day - sinceMidnight);
  if (!schedule.hours.has(wall.hour)) return hour - wall.minute * minute;
  return schedule.minutes.has(wall.minute) ? 0 : minute;
}

/** Steps too short rather than too far, as a DST transition may lie in between; the search continues from there. */
const stepBeforeDst = (step: number) => (step > maxDstShift ? step - maxDstShift : Math.min(step, hour));

/** As in cron: if both day fields are restricted, a day matches either of them. */
function allowsDay(schedule: CalendarSchedule, wall: WallTime): boolean {
  const matchesMonth = schedule.daysOfMonth.has(wall.day);
  const matchesWeek = schedule.daysOfWeek.has(wall.dayOfWeek);
  return schedule.anyDayOfMonth || schedule.anyDayOfWeek
    ? matchesMonth && matchesWeek
    : matchesMonth || matchesWeek;
}

/** More missed times than this are reported. */
export const manyMissed = 100;

/** The times of a schedule in an interval. */
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
  const interval = second - first;
  const estimate = Math.floor((now - first) / interval) + 1;
  if ('everySeconds' in schedule) return { time: first + (estimate - 1) * interval, missed: estimate };
  // Intervals may differ: the rest is stepped through one by one.
  let time = estimate > manyMissed ? timeShortlyBefore(schedule, clock, first, now, interval) : second;
  let missed = estimate > manyMissed ? estimate : 2;
  for (let next = nextTime(schedule, clock, time); next !== undefined && next <= now; ) {
    time = next;
    if (estimate <= manyMissed) missed += 1;
    next = nextTime(schedule, clock, time);
  }
  return { time, missed };
}

/** A time of the schedule shortly before now. */
function timeShortlyBefore(
  schedule: Schedule,
  clock: WallClock,
  first: number,
  now: number,
  interval: number,
): number {
  for (let lookBack = interval * 2; lookBack < now - first; lookBack *= 2) {
    const time = nextTime(schedule, clock, now - lookBack);
    if (time !== undefined && time <= now) return time;
  }
  return first;
}
