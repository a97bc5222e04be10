// Tag 1 of CBOR, the seconds since 1970, as RFC 3339 text.
import { type JsonValue, RawNumber } from '../json/json-value.ts';
import { CborError, type Head, majorTypeNames } from './wire.ts';

const startOfYear0 = -62_167_219_200;
const startOfYear10000 = 253_402_300_800;

/** `head` is that of the value. Throws CborError for values without text, as upstream's CBOR library does. */
export function epochTimeText(value: JsonValue, { majorType }: Head): string {
  if (typeof value !== 'number' && !(value instanceof RawNumber)) {
    throw new CborError(
      `cbor: tag number 1 must be followed by integer or floating-point number, got ${majorTypeNames[majorType]}`,
    );
  }
  const seconds = Number(value);
  // Integers that are not safe are far outside.
  if (!(seconds >= startOfYear0 && seconds < startOfYear10000)) {
    throw new CborError(
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]',
    );
  }
  const wholeSeconds = Math.trunc(seconds);
  let nanoseconds = Math.trunc((seconds - wholeSeconds) * 1e9);
  let start = wholeSeconds;
  if (nanoseconds < 0) {
    nanoseconds += 1e9;
    start -= 1;
  }
  const text = new Date(start * 1_000).toISOString().slice(0, '2000-01-01T00:00:00'.length);
  const fraction = String(nanoseconds).padStart(9, '0').replace(/0+$/, '');
  return `${text}${fraction && `.${fraction}`}Z`;
}
