// Parsing of timestamps (RFC 3339) with Go's error messages.

export interface TimeLayout {
  /** Go's layout string, which error messages quote. */
  readonly pattern: string;
  /** Fractional digits: required when parsing, always written. */
  readonly fraction: 0 | 6;
}

export const layouts = {
  seconds: { pattern: '2006-01-02T15:04:05Z07:00', fraction: 0 },
  microseconds: { pattern: '2006-01-02T15:04:05.000000Z07:00', fraction: 6 },
} as const satisfies Record<string, TimeLayout>;

/** Go's zero time. */
const zeroTime = '0001-01-01T00:00:00';

/** Fast path: canonical UTC times with a day that every month has, so that no calendar is needed. */
const alreadyCanonical =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;

/**
 * Returns the time in UTC and canonical form ('' for the zero time), or Go's error message, which names the first
 * layout element that does not match.
 */
export function parseTime(text: string, layout: TimeLayout): { text: string } | { problem: string } {
  if (layout.fraction === 0 && alreadyCanonical.test(text) && !text.startsWith(zeroTime)) return { text };
  const reader = new TimeReader(text, layout);
  try {
    return { text: reader.read() };
  } catch (error) {
    if (error instanceof TimeProblem) return { problem: `parsing time ${quoted(text)}${error.message}` };
    throw error;
  }
}

class TimeProblem extends Error {}

class TimeReader {
  readonly #layout: TimeLayout;
  #unparsed: string;

  constructor(text: string, layout: TimeLayout) {
    this.#unparsed = text;
    this.#layout = layout;
  }

  read(): string {
    const year = this.#take(/^[0-9]{4}/, '2006');
    this.#literal('-');
    const month = this.#take(/^[0-9]{2}/, '01');
    if (month < 1 || month > 12) outOfRange('month');
    this.#literal('-');
    const day = this.#take(/^[0-9]{2}/, '02');
    this.#literal('T');
    const hour = this.#take(/^[0-9]{1,2}/, '15');
    if (hour >= 24) outOfRange('hour');
    this.#literal(':');
    const minute = this.#take(/^[0-9]{2}/, '04');
    if (minute >= 60) outOfRange('minute');
    this.#literal(':');
    const second = this.#take(/^[0-9]{2}/, '05');
    if (second >= 60) outOfRange('second');
    const fraction = this.#fraction();
    const offsetMinutes = this.#zone();
    if (this.#unparsed !== '') throw new TimeProblem(`: extra text: ${quoted(this.#unparsed)}`);

    const moment = new Date(0);
    moment.setUTCFullYear(year, month - 1, day);
    if (moment.getUTCMonth() !== month - 1 || day < 1) outOfRange('day');
    moment.setUTCHours(hour, minute - offsetMinutes, second);
    const toSeconds = moment.toISOString().slice(0, 19);
    if (toSeconds === zeroTime && Number(fraction) === 0) return '';
    return this.#layout.fraction === 0
      ? `${toSeconds}Z`
      : `${toSeconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
  }

  /** Consumes digits. `element`: the layout element for the error, such as `2006` for the year. */
  #take(pattern: RegExp, element: string): number {
    const digits = pattern.exec(this.#unparsed)?.[0];
    if (digits === undefined) this.#cannotParse(element);
    this.#unparsed = this.#unparsed.slice(digits.length);
    return Number(digits);
  }

  #literal(c: string): void {
    if (!this.#unparsed.startsWith(c)) this.#cannotParse(c);
    this.#unparsed = this.#unparsed.slice(1);
  }

  /** Go accepts fractional seconds even if the layout has none. */
  #fraction(): string {
    const requiredDigits = this.#layout.fraction;
    const pattern = requiredDigits === 0 ? /^[.,]([0-9]+)/ : new RegExp(`^[.,]([0-9]{${requiredDigits}})`);
    const match = pattern.exec(this.#unparsed);
    if (!match) {
      if (requiredDigits !== 0) this.#cannotParse('.'.padEnd(requiredDigits + 1, '0'));
      return '';
    }
    this.#unparsed = this.#unparsed.slice(match[0].length);
    return match[1]!;
  }

  /** The offset from UTC in minutes. */
  #zone(): number {
    if (this.#unparsed.startsWith('Z')) {
      this.#unparsed = this.#unparsed.slice(1);
      return 0;
    }
    const match = /^([+-])([0-9]{2}):([0-9]{2})/.exec(this.#unparsed);
    if (!match) this.#cannotParse('Z07:00');
    const hours = Number(match[2]);
    const minutes = Number(match[3]);
    if (hours > 24) outOfRange('time zone offset hour');
    if (minutes > 60) outOfRange('time zone offset minute');
    this.#unparsed = this.#unparsed.slice(6);
    return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
  }

  #cannotParse(element: string): never {
    throw new TimeProblem(
      ` as ${quoted(this.#layout.pattern)}: cannot parse ${quoted(this.#unparsed)} as ${quoted(element)}`,
    );
  }
}

function outOfRange(element: string): never {
  throw new TimeProblem(`: ${element} out of range`);
}

/** Go's time.quote: non-ASCII bytes are escaped. */
function quoted(text: string): string {
  let escaped = '';
  for (const byte of Buffer.from(text)) {
    const c = String.fromCharCode(byte);
    if (c === '"' || c === '\\') escaped += `\\${c}`;
    else escaped += byte >= 0x80 || byte < 0x20 ? `\\x${byte.toString(16).padStart(2, '0')}` : c;
  }
  return `"${escaped}"`;
}
