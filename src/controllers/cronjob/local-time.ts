// Local time in a time zone of the tz database, for schedules of CronJobs.
import { flatCopy } from '../../base/flat-copy.ts';

export interface WallTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  /** From 0, Sunday. */
  readonly dayOfWeek: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Returns the local time at a time in milliseconds since the epoch. */
export type WallClock = (time: number) => WallTime;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Without `timeZone`: the time zone of this process. */
export function wallClockIn(timeZone?: string): WallClock {
  const key = timeZone ?? '';
  let format = formatters.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      ...(timeZone && { timeZone }),
      calendar: 'iso8601',
      hourCycle: 'h23',
      era: 'short',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    // Validation admits only names of the tz database, so the cache is bounded.
    formatters.set(flatCopy(key), format);
  }
  const { formatToParts } = format;
  return (time) => toWallTime(formatToParts.call(format, time));
}

function toWallTime(parts: readonly Intl.DateTimeFormatPart[]): WallTime {
  const numbers: Record<string, number> = {};
  for (const { type, value } of parts) numbers[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = numbers;
  const dayOfWeek = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return { year, month, day, dayOfWeek, hour, minute, second };
}

/** UTC offset in minutes. */
export function utcOffsetMinutesAt(clock: WallClock, time: number): number {
  const { year, month, day, hour, minute } = clock(time);
  const localAsUtc = Date.UTC(year, month - 1, day, hour, minute);
  return Math.round((localAsUtc - Math.floor(time / 60_000) * 60_000) / 60_000);
}
