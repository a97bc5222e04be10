// CronJob: parses schedules in cron format, as robfig/cron does.
import { describeInvalidDuration, parseDuration } from '../../base/duration.ts';
import { quote } from '../../errors/quote.ts';
import { isTimeZone } from './time-zone.ts';

/** A parsed schedule. `timeZone` comes from a TZ= prefix, which spec.timeZone has replaced. */
export type Schedule = (CalendarSchedule | IntervalSchedule) & { readonly timeZone?: string };

/** Matches minutes that all fields allow. If day of month and day of week are both restricted, either suffices. */
export interface CalendarSchedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly daysOfMonth: ReadonlySet<number>;
  /** 1 is January. */
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly daysOfWeek: ReadonlySet<number>;
  /** Whether the day of month is `*` or `?`, so that only the day of week restricts. */
  readonly anyDayOfMonth: boolean;
  readonly anyDayOfWeek: boolean;
}

interface IntervalSchedule {
  /** Whole seconds, at least 1. */
  readonly everySeconds: number;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Names of the values, starting at `min`. */
  readonly names: readonly string[];
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const bounds = {
  minutes: { min: 0, max: 59, names: [] },
  hours: { min: 0, max: 23, names: [] },
  daysOfMonth: { min: 1, max: 31, names: [] },
  months: { min: 1, max: 12, names: monthNames },
  daysOfWeek: { min: 0, max: 6, names: dayNames },
} as const satisfies Record<string, Bounds>;

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** Syntax error with robfig/cron's message. */
class ScheduleSyntaxError extends Error {}

/** Parses a schedule in cron format; returns `problem` if invalid. */
export function parseSchedule(text: string): Schedule | { readonly problem: string } {
  try {
    return parseWithTimeZone(text);
  } catch (error) {
    if (error instanceof ScheduleSyntaxError) return { problem: error.message };
    throw error;
  }
}

function parseWithTimeZone(text: string): Schedule {
  const prefix = /^(?:TZ|CRON_TZ)=([^ ]*)/.exec(text);
  if (!prefix) return parseDescriptorOrFields(text);
  const timeZone = prefix[1]!;
  if (timeZone !== '' && !isTimeZone(timeZone)) {
    throw new ScheduleSyntaxError(`provided bad location ${timeZone}: unknown time zone ${timeZone}`);
  }
  return { ...parseDescriptorOrFields(text.slice(prefix[0].length).trim()), timeZone: timeZone || 'UTC' };
}

function parseDescriptorOrFields(text: string): Schedule {
  if (!text.startsWith('@')) return parseFields(text);
  const shorthand = descriptors.get(text);
  if (shorthand !== undefined) return parseFields(shorthand);
  if (text.startsWith('@every ')) return parseInterval(text);
  throw new ScheduleSyntaxError(`unrecognized descriptor: ${text}`);
}

function parseInterval(text: string): IntervalSchedule {
  const duration = text.slice('@every '.length);
  const unsigned = duration.replace(/^[-+]/, '');
  let milliseconds: number;
  try {
    milliseconds = parseDuration(unsigned);
  } catch {
    throw new ScheduleSyntaxError(
      `failed to parse duration ${text}: time: ${describeInvalidDuration(unsigned)} ${quote(duration)}`,
    );
  }
  const seconds = Math.floor(milliseconds / 1000);
  // A negative or shorter duration counts as one second.
  return { everySeconds: duration.startsWith('-') ? 1 : Math.max(1, seconds) };
}

/** White space as in Go's unicode.IsSpace, which differs from JavaScript's `\s` in two characters. */
const whiteSpace = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

function parseFields(text: string): CalendarSchedule {
  const fields = text.split(whiteSpace).filter((field) => field !== '');
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields;
  if (fields.length !== 5) {
    throw new ScheduleSyntaxError(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`);
  }
  const minutes = parseField(minute!, bounds.minutes);
  const hours = parseField(hour!, bounds.hours);
  const daysOfMonth = parseField(dayOfMonth!, bounds.daysOfMonth);
  const months = parseField(month!, bounds.months);
  const daysOfWeek = parseField(dayOfWeek!, bounds.daysOfWeek);
  return {
    minutes: minutes.values,
    hours: hours.values,
    daysOfMonth: daysOfMonth.values,
    months: months.values,
    daysOfWeek: daysOfWeek.values,
    anyDayOfMonth: daysOfMonth.any,
    anyDayOfWeek: daysOfWeek.any,
  };
}

interface ParsedField {
  readonly values: ReadonlySet<number>;
  readonly any: boolean;
}

/** Parses comma-separated ranges; empty ones are skipped, so `,` matches nothing. */
function parseField(text: string, limits: Bounds): ParsedField {
  const values = new Set<number>();
  let any = false;
  for (const rangeText of text.split(',')) {
    if (rangeText === '') continue;
    const range = parseRange(rangeText, limits);
    any ||= range.any;
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
  }
  return { values, any };
}

/** Parses `5`, `mon`, `*` or `1-5`, each with an optional `/step`. `5/2` runs to the maximum. */
function parseRange(text: string, limits: Bounds) {
  const [range = '', stepText, ...moreSteps] = text.split('/');
  const [low = '', high, ...moreEnds] = range.split('-');
  const { min, max } = limits;
  const isAny = low === '*' || low === '?';
  const start = isAny ? min : parseNumberOrName(low, limits);
  let end = isAny ? max : start;
  if (!isAny && high !== undefined) {
    if (moreEnds.length > 0) throw new ScheduleSyntaxError(`too many hyphens: ${text}`);
    end = parseNumberOrName(high, limits);
  }
  if (moreSteps.length > 0) throw new ScheduleSyntaxError(`too many slashes: ${text}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (stepText !== undefined && high === undefined) end = max;

  if (start < min)
    throw new ScheduleSyntaxError(`beginning of range (${start}) below minimum (${min}): ${text}`);
  if (end > max) throw new ScheduleSyntaxError(`end of range (${end}) above maximum (${max}): ${text}`);
  if (start > end) {
    throw new ScheduleSyntaxError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  }
  if (step === 0) throw new ScheduleSyntaxError(`step of range should be a positive number: ${text}`);
  return { start, end, step, any: isAny && step === 1 };
}

function parseNumberOrName(text: string, { min, names }: Bounds): number {
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? parseNumber(text) : min + index;
}

function parseNumber(text: string): number {
  const problem = (detail: string) =>
    new ScheduleSyntaxError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: ${detail}`,
    );
  if (!/^[+-]?[0-9]+$/.test(text)) throw problem('invalid syntax');
  const value = Number(text);
  if (Math.abs(value) >= 2 ** 63) throw problem('value out of range');
  if (value < 0) throw new ScheduleSyntaxError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
