// CEL timestamps and durations: arithmetic with range checks.
import { fail } from '../errors.ts';
import { Duration, Timestamp } from '../values.ts';

const second = 1_000_000_000n;
/** The first and last second that a timestamp may be in: the years 1 to 9999. */
export const firstSecond = -62_135_596_800;
export const lastSecond = 253_402_300_799;
const maxNanos = 2n ** 63n - 1n;

export function duration(nanos: bigint): Duration {
  if (nanos > maxNanos || nanos < -maxNanos - 1n) fail('duration overflow');
  return new Duration(nanos);
}

export function addDurations(one: Duration, nanos: bigint): Duration {
  return duration(one.nanos + nanos);
}

export function addToTimestamp(moment: Timestamp, nanos: bigint): Timestamp {
  const total = BigInt(moment.seconds) * second + BigInt(moment.nanos) + nanos;
  const rest = ((total % second) + second) % second;
  const seconds = Number((total - rest) / second);
  if (seconds < firstSecond || seconds > lastSecond) fail('timestamp overflow');
  return new Timestamp(seconds, Number(rest));
}

export function differenceOf(one: Timestamp, other: Timestamp): Duration {
  return duration((BigInt(one.seconds) - BigInt(other.seconds)) * second + BigInt(one.nanos - other.nanos));
}
