// Parses UTCTime and GeneralizedTime of a certificate's validity.
import { DerError } from '../der.ts';
import { type DerCursor, tag } from './der-cursor.ts';

const utcTimePattern = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/;
const generalizedTimePattern = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;

/** Parses the next value. Returns milliseconds since the epoch. */
export function parseTime(cursor: DerCursor): number {
  if (cursor.isNextTag(tag.utcTime))
    return parseTimeValue(cursor, tag.utcTime, utcTimePattern, 'x509: malformed UTCTime');
  if (cursor.isNextTag(tag.generalizedTime)) {
    return parseTimeValue(
      cursor,
      tag.generalizedTime,
      generalizedTimePattern,
      'x509: malformed GeneralizedTime',
    );
  }
  throw new DerError('x509: unsupported time format');
}

function parseTimeValue(cursor: DerCursor, type: number, pattern: RegExp, problem: string): number {
  const match = pattern.exec(cursor.read(type, problem).content.toString('latin1'));
  const time = match ? toUnixMs(match) : undefined;
  if (time === undefined) throw new DerError(problem);
  return time;
}

/** Undefined for a time that does not exist. The match has year, month, day, hour, minute, second and zone. */
function toUnixMs([, yearDigits = '', ...parts]: RegExpExecArray): number | undefined {
  const zone = parts.pop()!;
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  // The two digits of a UTCTime mean the years 1950 to 2049.
  const year =
    yearDigits.length === 4
      ? Number(yearDigits)
      : Number(yearDigits) + (Number(yearDigits) < 50 ? 2000 : 1900);
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) return undefined;
  const offset = zoneOffsetMinutes(zone);
  return offset === undefined ? undefined : date.setUTCHours(hour, minute, second) - offset * 60_000;
}

/** Minutes east of UTC; undefined if invalid. UTC must be written as Z. */
function zoneOffsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3));
  const offset = hours * 60 + minutes;
  if (hours > 24 || minutes > 59 || offset === 0) return undefined;
  return zone.startsWith('-') ? -offset : offset;
}
