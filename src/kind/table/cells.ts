// Table: cell formats that several kinds share, as kubectl prints them.
import type { ApiObject } from '../api-object.ts';
import type { AgeFormatter } from '../table.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Formats the age of a timestamp: `45s`, `3m20s`, `5h`, `12d` (upstream: translateTimestampSince). */
export function since(time: string | null | undefined, now: AgeFormatter): string {
  return time ? now.ago(parseTimestampMs(time)) : '<unknown>';
}

/** Parses an RFC 3339 timestamp. Reading the digits is much faster than Date.parse. */
function parseTimestampMs(time: string): number {
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

export const age = ({ metadata }: ApiObject, now: AgeFormatter) => since(metadata.creationTimestamp, now);

/** Upper bound for the characters of a formatted duration. */
export const maxDurationLength = 16;

/** Formats a duration, the shorter the more precisely (upstream: duration.HumanDuration). */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / second);
  // One second of clock skew is tolerated.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (ms < 2 * minute) return `${seconds}s`;
  if (ms < 10 * minute) return twoUnits(ms, minute, 'm', second, 's', 60);
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`;
  if (ms < 8 * hour) return twoUnits(ms, hour, 'h', minute, 'm', 60);
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`;
  if (ms < 8 * day) return twoUnits(ms, day, 'd', hour, 'h', 24);
  if (ms < 2 * year) return `${Math.floor(ms / day)}d`;
  if (ms < 8 * year) return twoUnits(ms, year, 'y', day, 'd', 365);
  return `${Math.floor(ms / year)}y`;
}

function twoUnits(
  ms: number,
  unit: number,
  name: string,
  smallUnit: number,
  smallUnitName: string,
  smallUnitsPerUnit: number,
): string {
  const remainder = Math.floor(ms / smallUnit) % smallUnitsPerUnit;
  const wholeUnits = `${Math.floor(ms / unit)}${name}`;
  return remainder === 0 ? wholeUnits : `${wholeUnits}${remainder}${smallUnitName}`;
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
  return value === undefined ? unset : value ? 'True' : 'False';
}
