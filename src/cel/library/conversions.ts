// CEL standard library: type conversions.
import type { CallCost } from '../cost/call-cost.ts';
import { nominal, traversalCostRange, traversesArgument } from '../cost/models.ts';
import type { LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { toUint } from '../operators.ts';
import { firstSecond, lastSecond } from '../time/arithmetic.ts';
import { formatDuration, formatTimestamp, parseDurationOrFail, parseTimestampOrFail } from '../time/text.ts';
import { Bytes, Double, Duration, Timestamp, toInt, typeOfValue, type Uint, type Value } from '../values.ts';

type Int = number | bigint;

const identity = (value: Value) => value;

function cannotConvert(from: string, to: string): never {
  return fail(`type conversion error from '${from}' to '${to}'`);
}

function doubleToInt({ value }: Double): Value {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return fail('integer overflow');
  return toInt(BigInt(Math.trunc(value)));
}

function doubleToUint({ value }: Double): Value {
  if (!(value >= 0 && value < 2 ** 64)) return fail('unsigned integer overflow');
  return toUint(BigInt(Math.trunc(value)));
}

/** The pattern limits the digits, since the work of BigInt grows with them; all 64-bit integers fit. */
function stringToInt(text: string): Value {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) return cannotConvert('string', 'int');
  const value = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? toInt(value) : cannotConvert('string', 'int');
}

function stringToUint(text: string): Value {
  if (!/^[0-9]{1,40}$/.test(text)) return cannotConvert('string', 'uint');
  const value = BigInt(text);
  return BigInt.asUintN(64, value) === value ? toUint(value) : cannotConvert('string', 'uint');
}

const infinityPattern = /^([+-]?)inf(?:inity)?$/i;

function stringToDouble(text: string): Value {
  const infinity = infinityPattern.exec(text);
  if (infinity) return new Double(infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
  if (/^[+-]?nan$/i.test(text)) return new Double(Number.NaN);
  if (!/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text))
    return cannotConvert('string', 'double');
  const value = Number(text);
  return Number.isFinite(value) ? new Double(value) : cannotConvert('string', 'double');
}

const trueTexts = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falseTexts = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

function stringToBool(text: string): Value {
  if (trueTexts.has(text)) return true;
  return falseTexts.has(text) ? false : cannotConvert('string', 'bool');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function bytesToString({ data }: Bytes): Value {
  try {
    return utf8.decode(data);
  } catch {
    return fail('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** The format of Go's `%g`: with an exponent below 1e-4 and from 1e6 on. */
export function doubleToString({ value }: Double): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits, power] = value.toExponential().split('e') as [string, string];
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function intToTimestamp(seconds: Int): Value {
  const value = Number(seconds);
  if (value < firstSecond || value > lastSecond) return fail('timestamp overflow');
  return new Timestamp(value, 0);
}

/** A character takes up to four bytes in UTF-8. */
const utf8EncodingCost: CallCost = {
  estimate: ({ argSizes: [size] }) => ({
    cost: traversalCostRange(size!),
    size: { min: size!.min, max: size!.max * 4 },
  }),
  runtime: traversesArgument.runtime,
};

const utf8DecodingCost: CallCost = {
  estimate: ({ argSizes: [size] }) => ({
    cost: traversalCostRange(size!),
    size: { min: Math.floor(size!.min / 4), max: size!.max },
  }),
  runtime: traversesArgument.runtime,
};

export function addConversions(builder: LibraryBuilder): void {
  builder
    .add('bool', 'bool_to_bool', 'bool -> bool', nominal, identity)
    .add('bool', 'string_to_bool', 'string -> bool', nominal, stringToBool)
    .add('bytes', 'bytes_to_bytes', 'bytes -> bytes', nominal, identity)
    .add(
      'bytes',
      'string_to_bytes',
      'string -> bytes',
      utf8EncodingCost,
      (text: string) => new Bytes(Buffer.from(text)),
    )
    .add('double', 'double_to_double', 'double -> double', nominal, identity)
    .add('double', 'int64_to_double', 'int -> double', nominal, (value: Int) => new Double(Number(value)))
    .add('double', 'string_to_double', 'string -> double', nominal, stringToDouble)
    .add(
      'double',
      'uint64_to_double',
      'uint -> double',
      nominal,
      (value: Uint) => new Double(Number(value.value)),
    )
    .add('duration', 'duration_to_duration', 'duration -> duration', nominal, identity)
    .add(
      'duration',
      'int64_to_duration',
      'int -> duration',
      nominal,
      (nanos: Int) => new Duration(BigInt(nanos)),
    )
    .add('duration', 'string_to_duration', 'string -> duration', nominal, parseDurationOrFail)
    .add('dyn', 'to_dyn', 'A -> dyn', nominal, identity)
    .add('int', 'int64_to_int64', 'int -> int', nominal, identity)
    .add('int', 'double_to_int64', 'double -> int', nominal, doubleToInt)
    .add('int', 'duration_to_int64', 'duration -> int', nominal, (value: Duration) => toInt(value.nanos))
    .add('int', 'string_to_int64', 'string -> int', nominal, stringToInt)
    .add(
      'int',
      'timestamp_to_int64',
      'timestamp -> int',
      nominal,
      (timestamp: Timestamp) => timestamp.seconds,
    )
    .add('int', 'uint64_to_int64', 'uint -> int', nominal, (value: Uint) => toInt(value.value))
    .add('string', 'string_to_string', 'string -> string', nominal, identity)
    .add('string', 'bool_to_string', 'bool -> string', nominal, String)
    .add('string', 'bytes_to_string', 'bytes -> string', utf8DecodingCost, bytesToString)
    .add('string', 'double_to_string', 'double -> string', nominal, doubleToString)
    .add('string', 'duration_to_string', 'duration -> string', nominal, formatDuration)
    .add('string', 'int64_to_string', 'int -> string', nominal, String)
    .add('string', 'timestamp_to_string', 'timestamp -> string', nominal, formatTimestamp)
    .add('string', 'uint64_to_string', 'uint -> string', nominal, (value: Uint) => String(value.value))
    .add('timestamp', 'timestamp_to_timestamp', 'timestamp -> timestamp', nominal, identity)
    .add('timestamp', 'int64_to_timestamp', 'int -> timestamp', nominal, intToTimestamp)
    .add('timestamp', 'string_to_timestamp', 'string -> timestamp', nominal, parseTimestampOrFail)
    .add('type', 'type', 'A -> type(A)', nominal, (value: Value) => typeOfValue(value))
    .add('uint', 'uint64_to_uint64', 'uint -> uint', nominal, identity)
    .add('uint', 'double_to_uint64', 'double -> uint', nominal, doubleToUint)
    .add('uint', 'int64_to_uint64', 'int -> uint', nominal, (value: Int) => toUint(BigInt(value)))
    .add('uint', 'string_to_uint64', 'string -> uint', nominal, stringToUint);
}
