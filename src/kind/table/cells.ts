// Table: cell formats that several kinds share, as kubectl prints them.
import type { ApiObject } from '../api-object.ts';
import type { AgeFormatter } from '../table.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;

/** Formats the age of a timestamp: `45s`, `3m20s`, `5h`, `12d` (upstream: translateTimestampSince). */
export function since(time: string | null | undefined, ages: AgeFormatter): string {
  return time ? ages.ago(parseTimestampMs(time)) : '<unknown>';
}

/** Parses an RFC 3339 timestamp. Reading the digits is much faster than Date.parse. */
function parseTimestampMs(time: string): number {
  // The length of a timestamp without fractions of a second: 2006-01-02T15:04:05Z.
  if (time.length !== 20) return Date.parse(time);
  const twoDigits = (offset: number) =>
    (time.charCodeAt(offset) - 48) * 10 + time.charCodeAt(offset + 1) - 48;
  return Date.UTC(
    twoDigits(0) * 100 + twoDigits(2),
    twoDigits(5) - 1,
    twoDigits(8),
    twoDigits(11),
    twoDigits(14),
    twoDigits(17),
  );
}

export const age = ({ metadata }: ApiObject, ages: AgeFormatter) => since(metadata.creationTimestamp, ages);

/** Upper bound for the characters of a formatted duration. */
export const maxDurationLength = 16;

/** Formats a duration, the shorter the more precisely (upstream: duration.HumanDuration). */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / secondMs);
  // One second of clock skew is tolerated.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (ms < 2 * minuteMs) return `${seconds}s`;
  if (ms < 10 * minuteMs) return inTwoUnits(ms, minute, second);
  if (ms < 3 * hourMs) return inUnit(ms, minute);
  if (ms < 8 * hourMs) return inTwoUnits(ms, hour, minute);
  if (ms < 2 * dayMs) return inUnit(ms, hour);
  if (ms < 8 * dayMs) return inTwoUnits(ms, day, hour);
  if (ms < 2 * yearMs) return inUnit(ms, day);
  if (ms < 8 * yearMs) return inTwoUnits(ms, year, day);
  return inUnit(ms, year);
}

interface TimeUnit {
  readonly ms: number;
  readonly suffix: string;
}

const second: TimeUnit = { ms: secondMs, suffix: 's' };
const minute: TimeUnit = { ms: minuteMs, suffix: 'm' };
const hour: TimeUnit = { ms: hourMs, suffix: 'h' };
const day: TimeUnit = { ms: dayMs, suffix: 'd' };
const year: TimeUnit = { ms: yearMs, suffix: 'y' };

const inUnit = (ms: number, unit: TimeUnit) => `${Math.floor(ms / unit.ms)}${unit.suffix}`;

/** `3m20s`; `3m` if no smaller units remain. */
function inTwoUnits(ms: number, unit: TimeUnit, smallUnit: TimeUnit): string {
  const smallUnitsPerUnit = unit.ms / smallUnit.ms;
  const remainder = Math.floor(ms / smallUnit.ms) % smallUnitsPerUnit;
  const wholeUnits = inUnit(ms, unit);
  return remainder === 0 ? wholeUnits : `${wholeUnits}${remainder}${smallUnit.suffix}`;
}

export const none = '<none>';
export const unset = '<unset>';

/** Formats labels as `a=b,c=d`. */
export function labelText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? none : pairs.sort().join(',');
}

/** Joins at most `max` values and appends the number of the others. */
export function joinAtMost(values: readonly string[], max: number, separator: string): string {
  const joined = values.slice(0, max).join(separator);
  return values.length > max ? `${joined} + ${values.length - max} more...` : joined;
}

interface Containers {
  containers?: readonly { name: string; image?: string }[];
}

/** The cells Containers and Images. */
export function containerCells({ containers = [] }: Containers = {}): [string, string] {
  return [containers.map(({ name }) => name).join(','), containers.map(({ image = '' }) => image).join(',')];
}

/** `True`, `False` or `<unset>`. */
export function formatOptionalBoolean(value: boolean | undefined): string {
  if (value === undefined) return unset;
  return value ? 'True' : 'False';
}
