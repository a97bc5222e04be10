// CEL timestamps and durations: parsing and formatting.
import { fail } from '../errors.ts';
import { Duration, Timestamp } from '../values.ts';
import { durationOrFail, firstSecond, lastSecond } from './arithmetic.ts';

const rfc3339 =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:[.,](?<fraction>\d{1,9})\d*)?(?:Z|(?<sign>[+-])(?<offsetHour>\d\d):(?<offsetMinute>\d\d))$/;

/** Parses RFC 3339; undefined if invalid. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const parts = rfc3339.exec(text)?.groups;
  if (!parts) return undefined;
  const year = Number(parts.year);
  const month = Number(parts.month);
  const day = Number(parts.day);
  const hour = Number(parts.hour);
  const minute = Number(parts.minute);
  const second = Number(parts.second);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const { fraction = '', sign, offsetHour = '0', offsetMinute = '0' } = parts;
  if (Number(offsetHour) > 24 || Number(offsetMinute) > 59) return undefined;
  // Date.UTC would take the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const offsetSeconds = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60 * (sign === '-' ? -1 : 1);
  return new Timestamp(date.getTime() / 1000 - offsetSeconds, Number(fraction.padEnd(9, '0')));
}

/** The calendar repeats every 400 years. Day 0 of the next month is the last day of this one. */
function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

function isInRange({ seconds }: Timestamp): boolean {
  return seconds >= firstSecond && seconds <= lastSecond;
}

export function formatTimestamp({ seconds, nanos }: Timestamp): string {
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction}Z`;
}

const nanosByUnit: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** Parses `1h30m`, `-1.5s`; undefined if invalid. */
export function parseDuration(text: string): Duration | undefined {
  if (/^[+-]?0$/.test(text)) return new Duration(0n);
  if (!/^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text)) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit] of text.matchAll(
    /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    const unitNanos = nanosByUnit.get(unit!)!;
    nanos += BigInt(whole === '' ? 0 : whole) * unitNanos;
    if (fraction !== '') nanos += (BigInt(fraction) * unitNanos) / 10n ** BigInt(fraction.length);
  }
  if (text.startsWith('-')) nanos = -nanos;
  return nanos <= 2n ** 63n - 1n && nanos >= -(2n ** 63n) ? new Duration(nanos) : undefined;
}

/** The text of `string(duration)`, in seconds. */
export function formatDuration({ nanos }: Duration): string {
  const negative = nanos < 0n;
  const positive = negative ? -nanos : nanos;
  const fraction = String(positive % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${negative ? '-' : ''}${positive / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}

export function parseTimestampOrFail(text: string): Timestamp {
  const parsed = parseTimestamp(text);
  if (!parsed) return fail(`type conversion error from 'string' to 'google.protobuf.Timestamp'`);
  return isInRange(parsed) ? parsed : fail('timestamp overflow');
}

export function parseDurationOrFail(text: string): Duration {
  const parsed = parseDuration(text);
  return parsed
    ? durationOrFail(parsed.nanos)
    : fail(`type conversion error from 'string' to 'google.protobuf.Duration'`);
}
