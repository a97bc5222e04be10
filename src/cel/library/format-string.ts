// CEL strings extension: the function format.
import { fail } from '../errors.ts';
import { formatDuration, formatTimestamp } from '../time/text.ts';
import { CelType } from '../types.ts';
import {
  Bytes,
  CelMap,
  Double,
  Duration,
  fromJson,
  isInt,
  isJsonMap,
  isList,
  keysOf,
  lookUp,
  Timestamp,
  typeOfValue,
  Uint,
  type Value,
} from '../values.ts';
import { doubleToString } from './conversions.ts';

/** A formatting clause such as `%d`. */
export interface Clause {
  readonly verb: string;
  readonly digits?: number;
}

/** How numbers and elements of lists are formatted, which differs between versions of the library. */
export interface FormatStyle {
  /** `%s` of a double, and infinities and NaN in every clause. */
  double(value: number): string;
  /** Whether `%d`, `%f` and `%e` accept every numeric type. */
  readonly takesAnyNumber: boolean;
  fixed(value: number, digits: number): string;
  scientific(value: number, digits: number): string;
  /** Formats a string in a list or map. */
  nestedString(text: string): string;
  /** Formats a double in a list or map. */
  nestedDouble(value: number): string;
  /** The separator of key and value. */
  readonly keySeparator: string;
}

/** More digits would only take memory. */
const maxDigits = 1000;
/** Far larger than any object. */
const maxResultLength = 10 * 1024 * 1024;

/** The clauses of a format string and the texts before, between and after them, or its error. `%%` is a percent sign. */
export function parseFormat(format: string): { texts: string[]; clauses: Clause[] } | { problem: string } {
  const texts = [''];
  const clauses: Clause[] = [];
  for (let offset = 0; offset < format.length; offset++) {
    const isDoubled = format[offset] === '%' && format[offset + 1] === '%';
    if (format[offset] !== '%' || isDoubled) {
      texts.push(texts.pop()! + format[offset]);
      if (isDoubled) offset++;
    } else {
      const match = /^%(\.([0-9]*))?(.?)/s.exec(format.slice(offset))!;
      const [clause, precision, digits, verb = ''] = match;
      if (verb === '') return { problem: 'unexpected end of string' };
      if (precision !== undefined && digits === '') {
        return {
          problem:
            'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
        };
      }
      if (!/[sdfebxXo]/.test(verb)) {
        return { problem: `could not parse formatting clause: unrecognized formatting clause "${verb}"` };
      }
      if (Number(digits ?? 0) > maxDigits) return { problem: `precision ${digits} is too large` };
      clauses.push({ verb, ...(precision !== undefined && { digits: Number(digits) }) });
      texts.push('');
      offset += clause.length - 1;
    }
  }
  return { texts, clauses };
}

/** `'%d of %s'.format([1, 'x'])`. */
export function formatString(format: string, args: readonly Value[], style: FormatStyle): Value {
  const parsed = parseFormat(format);
  if ('problem' in parsed) return fail(parsed.problem);
  const { texts, clauses } = parsed;
  let result = texts[0]!;
  clauses.forEach((clause, i) => {
    if (i >= args.length) fail(`index ${i} out of range`);
    result += formatClause(clause, fromJson(args[i]), style) + texts[i + 1];
    if (result.length > maxResultLength) fail('the result of format is too long');
  });
  if (clauses.length < args.length) return fail(tooManyArguments(clauses.length, args.length));
  return result;
}

export const tooManyArguments = (expected: number, got: number) =>
  `too many arguments supplied to string.format (expected ${expected}, got ${got})`;

function formatClause({ verb, digits = 6 }: Clause, value: Value, style: FormatStyle): string {
  switch (verb) {
    case 's':
      return formatAsString(value, style);
    case 'd':
      return formatDecimal(value, style);
    case 'f':
      return formatNumber(verb, value, style, (number) => style.fixed(number, digits));
    case 'e':
      return formatNumber(verb, value, style, (number) => style.scientific(number, digits));
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : formatInBase(verb, value, 2);
    case 'x':
      return formatHex(value);
    case 'X':
      return formatHex(value).toUpperCase();
    default:
      return formatInBase(verb, value, 8);
  }
}

const unsupportedVerbMessages: Readonly<Record<string, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
};

export function unsupportedTypeMessage(verb: string, typeName: string): string {
  return `error during formatting: ${unsupportedVerbMessages[verb]}, was given ${typeName}`;
}

const failForType = (verb: string, value: Value): never =>
  fail(unsupportedTypeMessage(verb, typeOfValue(value).name));

function formatAsString(value: Value, style: FormatStyle): string {
  if (typeof value === 'string') return value;
  if (value instanceof Double) return style.double(value.value);
  if (value instanceof Bytes) return Buffer.from(value.data).toString();
  return formatNested(value, style);
}

/** Formats a value other than a string, or a value inside a list or map, where some styles quote strings. */
function formatNested(value: Value, style: FormatStyle): string {
  if (typeof value === 'string') return style.nestedString(value);
  if (value === null) return 'null';
  if (typeof value === 'boolean' || isInt(value)) return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Double) return style.nestedDouble(value.value);
  if (value instanceof Bytes) {
    const inner = style.nestedString(Buffer.from(value.data).toString());
    // A style that quotes strings writes bytes as a literal: b"…".
    return inner.startsWith('"') ? `b${inner}` : inner;
  }
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof CelType) return value.name;
  if (isList(value)) return `[${value.map((element) => formatNested(fromJson(element), style)).join(', ')}]`;
  if (value instanceof CelMap || isJsonMap(value)) return formatMap(value, style);
  return failForType('s', value);
}

function formatMap(map: Value, style: FormatStyle): string {
  const entries = keysOf(map).map(
    (key) => [formatNested(key, style), formatNested(lookUp(map, key)!, style)] as const,
  );
  entries.sort(([left], [right]) => {
    if (left === right) return 0;
    return left < right ? -1 : 1;
  });
  return `{${entries.map(([key, value]) => key + style.keySeparator + value).join(', ')}}`;
}

function formatDecimal(value: Value, style: FormatStyle): string {
  if (isInt(value)) return String(value);
  if (value instanceof Uint) return String(value.value);
  return value instanceof Double && style.takesAnyNumber
    ? style.double(value.value)
    : failForType('d', value);
}

function formatNumber(
  verb: string,
  value: Value,
  style: FormatStyle,
  formatFinite: (number: number) => string,
): string {
  let number: number;
  if (value instanceof Double) number = value.value;
  else if (!style.takesAnyNumber) return failForType(verb, value);
  else if (isInt(value)) number = Number(value);
  else if (value instanceof Uint) number = Number(value.value);
  else return failForType(verb, value);
  return Number.isFinite(number) ? formatFinite(number) : style.double(number);
}

function formatInBase(verb: string, value: Value, base: number): string {
  if (isInt(value)) return value.toString(base);
  return value instanceof Uint ? value.value.toString(base) : failForType(verb, value);
}

function formatHex(value: Value): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Bytes) return Buffer.from(value.data).toString('hex');
  return formatInBase('x', value, 16);
}

function plainDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return Object.is(value, -0) ? '-0' : String(value);
}

/** `toFixed` rounds ties up; Go rounds them to even. */
function toFixedEven(number: number, digits: number): string {
  if (digits > 100 || Math.abs(number) >= 1e21) return number.toFixed(Math.min(digits, 100));
  const text = number.toFixed(digits);
  const shifted = Math.abs(number) * 10 ** digits;
  const isTie = digits < 15 && shifted % 1 === 0.5 && shifted / 10 ** digits === Math.abs(number);
  if (!isTie || Math.floor(shifted) % 2 === 1) return text;
  return ((Math.sign(number) * Math.floor(shifted)) / 10 ** digits).toFixed(digits);
}

/** The parts of `1.5e-07`: the mantissa `1.5`, and the exponent `07` with its sign. */
function splitExponential(number: number, digits: number) {
  const [mantissa, exponent] = number.toExponential(Math.min(digits, 100)).split('e') as [string, string];
  return {
    mantissa,
    isNegativeExponent: exponent.startsWith('-'),
    exponentDigits: exponent.slice(1).padStart(2, '0'),
  };
}

/** The format of the CEL specification. */
export const plainStyle: FormatStyle = {
  double: plainDouble,
  takesAnyNumber: true,
  fixed: toFixedEven,
  scientific(value, digits) {
    const { mantissa, isNegativeExponent, exponentDigits } = splitExponential(value, digits);
    return `${mantissa}e${isNegativeExponent ? '-' : '+'}${exponentDigits}`;
  },
  nestedString: (text) => text,
  nestedDouble: plainDouble,
  keySeparator: ': ',
};

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function groupThousands(fixed: string): string {
  const [whole, fraction] = fixed.split('.');
  const withCommas = whole!.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`;
}

/** The format of the version that upstream uses: numbers in the en-US locale, strings in lists in quotes. */
export const localizedStyle: FormatStyle = {
  double: (value) => doubleToString(new Double(value)),
  takesAnyNumber: false,
  fixed: (value, digits) => groupThousands(toFixedEven(value, digits)),
  scientific(value) {
    const { mantissa, isNegativeExponent, exponentDigits } = splitExponential(value, 6);
    const raised = Array.from(exponentDigits, (digit) => superscripts[Number(digit)]).join('');
    return `${mantissa}×10${isNegativeExponent ? '⁻' : ''}${raised}`;
  },
  nestedString: (text) => JSON.stringify(text),
  nestedDouble: (value) => toFixedEven(value, 6),
  keySeparator: ':',
};
