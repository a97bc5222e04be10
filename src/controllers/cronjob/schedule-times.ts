// cronjob-controller: the times of a cron schedule, in milliseconds since the epoch.
import type { CalendarSchedule, Schedule } from '../../apis/batch/schedule.ts';
import type { WallClock, WallTime } from './local-time.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Limit of the search, as some schedules never match (30 February). */
const searchLimitMs = 5 * 366 * dayMs;
/** No DST transition moves clocks by more. */
const maxDstShiftMs = 3 * hourMs;

/**
 * The first time after `time` at which local time matches the schedule. Local times that a DST transition skips do
 * not match, repeated ones match twice. Returns undefined if there is none within five years.
 */
export function nextTime(schedule: Schedule, clock: WallClock, time: number): number | undefined {
  if ('everySeconds' in schedule) return Math.floor(time / 1000) * 1000 + schedule.everySeconds * 1000;
  let candidate = (Math.floor(time / minuteMs) + 1) * minuteMs;
  for (const end = time + searchLimitMs; candidate <= end; ) {
    const wall = clock(candidate);
    const step = minMsToMatch(schedule, wall);
    if (step === 0) return candidate;
    candidate += step;
  }
  return undefined;
}

/** A lower bound of the time until the schedule matches; 0 if it matches now. */
function minMsToMatch(schedule: CalendarSchedule, wall: WallTime): number {
  const sinceMidnight = wall.hour * hourMs + wall.minute * minuteMs;
  if (!schedule.months.has(wall.month)) {
    const days = new Date(Date.UTC(wall.year, wall.month, 0)).getUTCDate() - wall.day + 1;
    return stepBeforeDst(days * dayMs - sinceMidnight);
  }
  if (!matchesDay(schedule, wall)) return stepBeforeDst(dayMs - sinceMidnight);
  if (!schedule.hours.has(wall.hour)) return hourMs - wall.minute * minuteMs;
  return schedule.minutes.has(wall.minute) ? 0 : minuteMs;
}

/**
 * Shortens a step over days, since a DST transition may lie in between and the search must not pass a match: by the largest
 * shift, and to one hour at a time close to the end.
 */
const stepBeforeDst = (step: number) =>
  step > maxDstShiftMs ? step - maxDstShiftMs : Math.min(step, hourMs);

/** As in cron: if both day fields are restricted, a day matches either of them. */
function matchesDay(schedule: CalendarSchedule, wall: WallTime): boolean {
  const matchesMonth = schedule.daysOfMonth.has(wall.day);
  const matchesWeek = schedule.daysOfWeek.has(wall.dayOfWeek);
  return schedule.anyDayOfMonth || schedule.anyDayOfWeek
    ? matchesMonth && matchesWeek
    : matchesMonth || matchesWeek;
}

/** If more times than this were missed, the controller reports it, and the number is only an estimate. */
export const manyMissedTimes = 100;

/** The times of a schedule in an interval. */
export interface DueTimes {
  /** The latest time; undefined if the interval has none. */
  readonly latest: number | undefined;
  /** Extrapolated from the interval of the first two times if that gives more than `manyMissedTimes`; else exact. */
  readonly count: number;
}

/** The times of the schedule after `since`, up to and including `now`. */
export function dueTimesBetween(schedule: Schedule, clock: WallClock, since: number, now: number): DueTimes {
  const first = nextTime(schedule, clock, since);
  if (first === undefined || first > now) return { latest: undefined, count: 0 };
  const second = nextTime(schedule, clock, first);
  if (second === undefined || second > now) return { latest: first, count: 1 };
  const interval = second - first;
  const estimate = Math.floor((now - first) / interval) + 1;
  if ('everySeconds' in schedule) return { latest: first + (estimate - 1) * interval, count: estimate };
  // Intervals of a calendar schedule differ, so the last times are stepped through one by one.
  const isEstimated = estimate > manyMissedTimes;
  let latest = isEstimated ? timeShortlyBefore(schedule, clock, first, now, interval) : second;
  let count = isEstimated ? estimate : 2;
  for (let next = nextTime(schedule, clock, latest); next !== undefined && next <= now; ) {
    latest = next;
    if (!isEstimated) count += 1;
    next = nextTime(schedule, clock, latest);
  }
  return { latest, count };
}

/** A time of the schedule shortly before `now`, found by looking back ever further; `first` if there is no other. */
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
