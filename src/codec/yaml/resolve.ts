// Tag resolution of plain scalars by the YAML 1.1 rules of go-yaml.
import { RawNumber } from '../json/json-value.ts';

export type ResolvedScalar = string | number | boolean | null | RawNumber;

const valuesByWord = new Map<string, boolean | null | number>([
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

/** Plain scalars that are not strings start with one of these characters. */
const nonStringStart = /^[-+0-9yYnNtTfFoO~.]|^$/;

/** Returns the value of a plain scalar: the text unchanged if it resolves to a string. */
export function resolvePlainScalar(text: string): ResolvedScalar {
  if (!nonStringStart.test(text)) return text;
  const wordValue = valuesByWord.get(text);
  if (wordValue !== undefined) return wordValue;
  const first = text[0]!;
  if (first === '.') return parseFloatScalar(text) ?? text;
  if ((first >= '0' && first <= '9') || first === '-' || first === '+')
    return parseNumberScalar(text) ?? text;
  return text;
}

/** Whether a plain scalar with this text resolves to the same string. */
export function resolvesToItself(text: string): boolean {
  return resolvePlainScalar(text) === text && !isTimestamp(text) && !isBase60(text);
}

const base60Pattern = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const isBase60 = (text: string) => text.includes(':') && base60Pattern.test(text);

const timestampPattern =
  /^[0-9]{4}-(?:[0-9]{1,2}-[0-9]{1,2}(?:[Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})| [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?)?)$/;

/** A date, with or without a time. */
function isTimestamp(text: string): boolean {
  return text.length >= 8 && text[4] === '-' && timestampPattern.test(text) && isValidDateTime(text);
}

function isValidDateTime(text: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/[^0-9]+/).map(Number);
  const lastDay = new Date(Date.UTC((year % 400) + 2000, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay && hour < 24 && minute < 60 && second < 60;
}

const decimalPattern = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function parseNumberScalar(source: string): number | RawNumber | undefined {
  // YAML 1.1 allows underscores between digits.
  const text = source.replaceAll('_', '');
  return parseIntegerScalar(text, source) ?? parseFloatScalar(text);
}

const radixNotations: readonly (readonly [RegExp, string])[] = [
  [/^0[xX]([0-9a-fA-F]+)$/, '0x'],
  [/^0[bB]([01]+)$/, '0b'],
  [/^0[oO]?([0-7]+)$/, '0o'],
];

/** Undefined if the text is no integer, or exceeds 64 bits: unsigned without a sign, signed with one. */
function parseIntegerScalar(text: string, source: string): number | RawNumber | undefined {
  const isNegative = text[0] === '-';
  const hasSign = isNegative || text[0] === '+';
  const digits = hasSign ? text.slice(1) : text;
  // Up to 15 digits a JavaScript number is exact. `-0` is the integer 0.
  const isShort = digits.length < 16 && decimalDigits.test(digits);
  if (isShort) return isNegative && digits !== '0' ? -Number(digits) : Number(digits);
  const magnitude = parseMagnitude(digits, source);
  if (magnitude === undefined) return undefined;
  const value = isNegative ? -magnitude : magnitude;
  if (value < -(2n ** 63n) || value >= (hasSign ? 2n ** 63n : 2n ** 64n)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : new RawNumber(String(value));
}

const decimalDigits = /^(?:0|[1-9][0-9]*)$/;

/** Undefined for other text, and for more digits than 64 bits have: a BigInt of many digits is slow. */
function parseMagnitude(digits: string, source: string): bigint | undefined {
  if (decimalDigits.test(digits)) return digits.length <= 20 ? BigInt(digits) : undefined;
  if (source.length >= 100) return undefined;
  for (const [pattern, prefix] of radixNotations) {
    const radixDigits = pattern.exec(digits)?.[1];
    if (radixDigits !== undefined) return BigInt(prefix + radixDigits);
  }
  return undefined;
}

function parseFloatScalar(text: string): number | undefined {
  if (!decimalPattern.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
