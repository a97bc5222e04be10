// Formats values as the recorded results of the reference do, for tests.
import { formatTimestamp } from './time/text.ts';
import { CelType } from './types.ts';
import {
  Bytes,
  CelMap,
  CelOptional,
  Double,
  Duration,
  FieldsObject,
  fromJson,
  isInt,
  isJsonMap,
  keysOf,
  lookUp,
  Timestamp,
  typeOfValue,
  Uint,
  type Value,
} from './values.ts';

export function show(value: Value): string {
  if (value === null || typeof value === 'boolean' || isInt(value)) return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return `double(${showDouble(value.value)})`;
  if (value instanceof Bytes) return `b"${Buffer.from(value.data).toString('base64')}"`;
  if (value instanceof Timestamp) return `timestamp(${formatTimestamp(value)})`;
  if (value instanceof Duration) return `duration(${showDuration(value.nanos)})`;
  if (value instanceof CelOptional)
    return value.value === undefined ? 'optional.none()' : `optional.of(${show(value.value)})`;
  if (value instanceof CelType) return `type(${value.name})`;
  if (Array.isArray(value)) return `[${value.map((element) => show(fromJson(element))).join(', ')}]`;
  if (value instanceof FieldsObject)
    return showEntries(value.fields().map((field) => [field, value.get(field)!]));
  if (value instanceof CelMap || isJsonMap(value))
    return showEntries(keysOf(value).map((key) => [key, lookUp(value, key)!]));
  return typeOfValue(value).name;
}

const showEntries = (entries: readonly (readonly [Value, Value])[]) =>
  `{${entries
    .map(([key, value]) => `${show(key)}: ${show(value)}`)
    .sort()
    .join(', ')}}`;

const showDouble = (value: number) => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value));

/** `1h30m0s`. */
function showDuration(nanos: bigint): string {
  const seconds = nanos / 1_000_000_000n;
  const [h, m, s] = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  if (h > 0n) return `${h}h${m}m${s}s`;
  return m > 0n ? `${m}m${s}s` : `${Number(nanos) / 1e9}s`;
}
