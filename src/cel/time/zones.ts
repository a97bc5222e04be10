// CEL timestamps: time zones.
import { flatCopy } from '../../base/flat-copy.ts';
import { fail } from '../errors.ts';
import type { Timestamp } from '../values.ts';

/** A Date whose UTC fields are the local date and time in the zone. */
export function inZone(timestamp: Timestamp, zone: string): Date {
  const date = new Date(timestamp.seconds * 1000);
  if (zone === '' || zone === 'UTC') return date;
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(date.getTime() + (offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  return toWallClock(date, formatterFor(zone));
}

/** Cached, since creating a formatter is slow and few zones are used. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const maxFormatters = 100;

function formatterFor(zone: string): Intl.DateTimeFormat {
  const cached = formatters.get(zone);
  if (cached) return cached;
  // JavaScript also accepts abbreviations and offsets, which are not IANA zone names.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(zone)) return fail(`unknown time zone ${zone}`);
  let formatter: Intl.DateTimeFormat;
  try {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return fail(`unknown time zone ${zone}`);
  }
  if (formatters.size >= maxFormatters) formatters.clear();
  formatters.set(flatCopy(zone), formatter);
  return formatter;
}

function toWallClock(date: Date, formatter: Intl.DateTimeFormat): Date {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatter.formatToParts(date)) parts[type] = value;
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const wallClock = new Date(0);
  wallClock.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  wallClock.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return wallClock;
}
