// CEL timestamps and durations: parsing and formatting.
import { fail } from '../errors.ts';
import { Duration, Timestamp } from '../values.ts';
import { duration, firstSecond, lastSecond } from './arithmetic.ts';

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9})\d*)?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Parses RFC 3339; undefined if invalid. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const parts = rfc3339.exec(text);
  if (!parts) return undefined;
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second,
    fraction = '',
    sign,
    offsetHour = '0',
    offsetMinute = '0',
  ] = parts;
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (mo < 1 || mo > 12 || d < 1 || d > daysIn(y, mo) || h > 23 || mi > 59 || s > 59) return undefined;
  if (Number(offsetHour) > 24 || Number(offsetMinute) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(y, mo - 1, d);
  date.setUTCHours(h, mi, s);
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60 * (sign === '-' ? -1 : 1);
  return new Timestamp(date.getTime() / 1000 - offset, Number(fraction.padEnd(9, '0')));
}

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

const units: ReadonlyMap<string, bigint> = new Map([
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
    const size = units.get(unit!)!;
    nanos += BigInt(whole === '' ? 0 : whole) * size;
    if (fraction !== '') nanos += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
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
    ? duration(parsed.nanos)
    : fail(`type conversion error from 'string' to 'google.protobuf.Duration'`);
}
