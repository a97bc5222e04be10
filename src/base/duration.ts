// Durations in the notation of Go's time.Duration: `1m30s`, `500ms`.

const msByUnit: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

const component = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/** time.Duration is a signed 64-bit count of nanoseconds. */
const maxMs = 2 ** 63 / 1e6;

export class InvalidDuration extends Error {}

/**
 * Parses `60s`, `1m30s`, `1.5h`, `0`. Returns milliseconds. Throws InvalidDuration; negative durations are invalid.
 */
export function parseDuration(text: string): number {
  if (text === '0' || text === '+0') return 0;
  let position = text.startsWith('+') ? 1 : 0;
  if (position === text.length) throw invalidDuration(text);
  let totalMs = 0;
  while (position < text.length) {
    component.lastIndex = position;
    const match = component.exec(text);
    if (!match) throw invalidDuration(text);
    totalMs += Number(match[1]) * msByUnit[match[2]!]!;
    position = component.lastIndex;
  }
  if (totalMs >= maxMs) throw invalidDuration(text);
  return totalMs;
}

const invalidDuration = (text: string) =>
  new InvalidDuration(`${JSON.stringify(text)} is not a duration (write it like 60s, 1m30s or 500ms)`);

const number = /\d+(?:\.\d*)?|\.\d+/y;
const unit = /[^\d.]+/y;

/** The error text of Go's time.ParseDuration for an invalid duration, without a sign. */
export function describeInvalidDuration(text: string): string {
  for (let position = 0; position < text.length; ) {
    number.lastIndex = position;
    if (!number.test(text)) break;
    unit.lastIndex = number.lastIndex;
    const unitText = unit.exec(text)?.[0];
    if (unitText === undefined) return 'missing unit in duration';
    if (!Object.hasOwn(msByUnit, unitText)) return `unknown unit ${JSON.stringify(unitText)} in duration`;
    position = unit.lastIndex;
  }
  return 'invalid duration';
}

/** Formats milliseconds as Go does: `1m0s`, `500ms`, `0s`. */
export function formatDuration(totalMs: number): string {
  if (totalMs === 0) return '0s';
  if (totalMs < 1_000) return `${totalMs}ms`;
  const hours = Math.floor(totalMs / 3_600_000);
  const minutes = Math.floor((totalMs % 3_600_000) / 60_000);
  const seconds = `${(totalMs % 60_000) / 1_000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}
