// YAML 1.1 resolution of plain scalars.
import { RawNumber } from '../json/json-value.ts';

/** The value of a plain scalar, by the rules of go-yaml. */
export type Resolved = string | number | boolean | null | RawNumber;

const words = new Map<string, boolean | null | number>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (word) => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (word) => [word, false] as const,
  ),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Infinity] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, -Infinity] as const),
]);

/** The first characters of all scalars that are not strings. */
const special = /^[-+0-9yYnNtTfFoO~.]|^$/;

/** Text without another meaning is returned unchanged. */
export function resolvePlain(text: string): Resolved {
  if (!special.test(text)) return text;
  const word = words.get(text);
  if (word !== undefined) return word;
  const first = text[0]!;
  if (first === '.') return floatOf(text) ?? text;
  if ((first >= '0' && first <= '9') || first === '-' || first === '+') return numberOf(text) ?? text;
  return text;
}

/** Whether the text is read as itself when written without quotes. */
export function isPlainText(text: string): boolean {
  return resolvePlain(text) === text && !isTimestamp(text) && !isBase60(text);
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const isBase60 = (text: string) => text.includes(':') && base60.test(text);

const timestamp =
  /^[0-9]{4}-(?:[0-9]{1,2}-[0-9]{1,2}(?:[Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})| [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?)?)$/;

/** A date, with or without a time. */
function isTimestamp(text: string): boolean {
  return text.length >= 8 && text[4] === '-' && timestamp.test(text) && isMoment(text);
}

function isMoment(text: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/[^0-9]+/).map(Number);
  const lastDay = new Date(Date.UTC((year % 400) + 2000, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay && hour < 24 && minute < 60 && second < 60;
}

const decimal = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function numberOf(written: string): number | RawNumber | undefined {
  // Underscores may stand anywhere between digits.
  const text = written.replaceAll('_', '');
  return integerOf(text, written) ?? floatOf(text);
}

const notations: readonly (readonly [RegExp, string])[] = [
  [/^0[xX]([0-9a-fA-F]+)$/, '0x'],
  [/^0[bB]([01]+)$/, '0b'],
  [/^0[oO]?([0-7]+)$/, '0o'],
];

function integerOf(text: string, written: string): number | RawNumber | undefined {
  const sign = text[0] === '-' ? '-' : '';
  const digits = text[0] === '-' || text[0] === '+' ? text.slice(1) : text;
  let value: bigint | undefined;
  if (/^(?:0|[1-9][0-9]*)$/.test(digits)) {
    if (digits.length < 16) return sign && digits !== '0' ? -Number(digits) : Number(digits);
    // More digits do not fit into 64 bits, and parsing very many as a BigInt is slow.
    if (digits.length <= 20) value = BigInt(digits);
  } else {
    for (const [form, prefix] of notations) {
      const found = form.exec(digits)?.[1];
      if (found !== undefined && written.length < 100) value = BigInt(prefix + found);
    }
  }
  if (value === undefined) return undefined;
  const signed = sign ? -value : value;
  const fits = signed >= -(2n ** 63n) && signed < (text[0] === '+' || sign ? 2n ** 63n : 2n ** 64n);
  if (!fits) return undefined;
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : new RawNumber(String(signed));
}

function floatOf(text: string): number | undefined {
  if (!decimal.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
