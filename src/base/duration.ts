// Durations in Go's notation: `1m30s`, `500ms`.

const milliseconds: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/** Go's limit: a signed 64-bit count of nanoseconds. */
const longest = 2 ** 63 / 1e6;

/** The message suggests valid notation. */
export class InvalidDuration extends Error {}

/** Parses Go's notation: `60s`, `1m30s`, `1.5h`, `0`. Returns milliseconds, never negative. */
export function parseDuration(text: string): number {
  if (text === '0' || text === '+0') return 0;
  const wrong = new InvalidDuration(
    `${JSON.stringify(text)} is not a duration (write it like 60s, 1m30s or 500ms)`,
  );
  let at = text.startsWith('+') ? 1 : 0;
  if (at === text.length) throw wrong;
  let total = 0;
  while (at < text.length) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (!match) throw wrong;
    total += Number(match[1]) * milliseconds[match[2]!]!;
    at = part.lastIndex;
  }
  if (total >= longest) throw wrong;
  return total;
}

const number = /\d+(?:\.\d*)?|\.\d+/y;
const unit = /[^\d.]+/y;

/** Go's error message, without the sign. */
export function durationProblem(text: string): string {
  for (let at = 0; at < text.length; ) {
    number.lastIndex = at;
    if (!number.test(text)) break;
    unit.lastIndex = number.lastIndex;
    const found = unit.exec(text)?.[0];
    if (found === undefined) return 'missing unit in duration';
    if (!Object.hasOwn(milliseconds, found)) return `unknown unit ${JSON.stringify(found)} in duration`;
    at = unit.lastIndex;
  }
  return 'invalid duration';
}

/** Formats milliseconds as Go does: `1m0s`, `500ms`, `0s`. */
export function formatDuration(total: number): string {
  if (total === 0) return '0s';
  if (total < 1_000) return `${total}ms`;
  const hours = Math.floor(total / 3_600_000);
  const minutes = Math.floor((total % 3_600_000) / 60_000);
  const seconds = `${(total % 60_000) / 1_000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}
