import type { CalendarSchedule, Schedule } from '../../apis/batch/schedule.ts';
import type { WallClock, WallTime } from './local-time.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A schedule that has no time within so long, such as the 30th of February, has none. */
const farthest = 5 * 366 * day;
/** No change of clocks moves them by more. */
const largestShift = 3 * hour;

/**
 * The first time after `time` that a schedule allows: the first minute at which clocks show what it asks for. A time that
 * clocks skip does not come, one that they show twice comes twice. Undefined where there is none for years.
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

/** How long it takes at least until a schedule may allow a time; 0 where it allows this one. */
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

/** Clocks may be moved on the way: who steps over that lands short of it, and goes on from there. */
const cautious = (step: number) => (step > largestShift ? step - largestShift : Math.min(step, hour));

function allowsDay(schedule: CalendarSchedule, wall: WallTime): boolean {
  const ofMonth = schedule.daysOfMonth.has(wall.day);
  const ofWeek = schedule.daysOfWeek.has(wall.dayOfWeek);
  return schedule.anyDayOfMonth || schedule.anyDayOfWeek ? ofMonth && ofWeek : ofMonth || ofWeek;
}

/** More missed times than this are worth a word. */
export const manyMissed = 100;

export interface Due {
  /** The last time that has come; undefined where none has. */
  readonly time: number | undefined;
  readonly missed: number;
}

/**
 * The last time that a schedule had between `since` and `now`, and how many there were. These are counted one by one as long
 * as they are few, and reckoned from the distance of the first two where they are not.
 */
export function lastDue(schedule: Schedule, clock: WallClock, since: number, now: number): Due {
  const first = nextTime(schedule, clock, since);
  if (first === undefined || first > now) return { time: undefined, missed: 0 };
  const second = nextTime(schedule, clock, first);
  if (second === undefined || second > now) return { time: first, missed: 1 };
  const between = second - first;
  const reckoned = Math.floor((now - first) / between) + 1;
  if ('everySeconds' in schedule) return { time: first + (reckoned - 1) * between, missed: reckoned };
  // Times need not be equally far apart: what is stepped over is made up for one by one.
  let time = reckoned > manyMissed ? startNear(schedule, clock, first, now, between) : second;
  let missed = reckoned > manyMissed ? reckoned : 2;
  for (let next = nextTime(schedule, clock, time); next !== undefined && next <= now; ) {
    time = next;
    if (reckoned <= manyMissed) missed += 1;
    next = nextTime(schedule, clock, time);
  }
  return { time, missed };
}

/** A time of the schedule not long before now. */
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
