// X.509: reads UTCTime and GeneralizedTime.
import { DerProblem } from '../der.ts';
import { type DerCursor, tag } from './der-cursor.ts';

const utcTime = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/;
const generalizedTime = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;

/** The time that stands next, in milliseconds since the epoch. */
export function readTime(cursor: DerCursor): number {
  if (cursor.isNext(tag.utcTime)) return read(cursor, tag.utcTime, utcTime, 'x509: malformed UTCTime');
  if (cursor.isNext(tag.generalizedTime)) {
    return read(cursor, tag.generalizedTime, generalizedTime, 'x509: malformed GeneralizedTime');
  }
  throw new DerProblem('x509: unsupported time format');
}

function read(cursor: DerCursor, type: number, form: RegExp, problem: string): number {
  const match = form.exec(cursor.read(type, problem).content.toString('latin1'));
  const time = match ? timeOf(match) : undefined;
  if (time === undefined) throw new DerProblem(problem);
  return time;
}

function timeOf([, years = '', ...parts]: RegExpExecArray): number | undefined {
  const zone = parts.pop()!;
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  // A UTCTime has two digits for the years 1950 to 2049.
  const year = years.length === 4 ? Number(years) : Number(years) + (Number(years) < 50 ? 2000 : 1900);
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) return undefined;
  const offset = offsetOf(zone);
  return offset === undefined ? undefined : date.setUTCHours(hour, minute, second) - offset * 60_000;
}

/** Minutes east of UTC. UTC itself is written Z. */
function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3));
  const offset = hours * 60 + minutes;
  if (hours > 24 || minutes > 59 || offset === 0) return undefined;
  return zone.startsWith('-') ? -offset : offset;
}
