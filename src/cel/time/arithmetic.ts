// CEL timestamps and durations: arithmetic with range checks.
import { fail } from '../errors.ts';
import { Duration, Timestamp } from '../values.ts';

const nanosPerSecond = 1_000_000_000n;
/** The range of timestamps: the years 1 to 9999. */
export const firstSecond = -62_135_596_800;
export const lastSecond = 253_402_300_799;
const maxNanos = 2n ** 63n - 1n;

/** Fails if the duration does not fit 64 bits. */
export function durationOrFail(nanos: bigint): Duration {
  if (nanos > maxNanos || nanos < -maxNanos - 1n) fail('duration overflow');
  return new Duration(nanos);
}

export function addToDuration(duration: Duration, nanos: bigint): Duration {
  return durationOrFail(duration.nanos + nanos);
}

export function addToTimestamp(timestamp: Timestamp, nanos: bigint): Timestamp {
  const totalNanos = BigInt(timestamp.seconds) * nanosPerSecond + BigInt(timestamp.nanos) + nanos;
  // A remainder >= 0, also for times before 1970.
  const nanosOfSecond = ((totalNanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  const seconds = Number((totalNanos - nanosOfSecond) / nanosPerSecond);
  if (seconds < firstSecond || seconds > lastSecond) fail('timestamp overflow');
  return new Timestamp(seconds, Number(nanosOfSecond));
}

export function subtractTimestamps(a: Timestamp, b: Timestamp): Duration {
  return durationOrFail((BigInt(a.seconds) - BigInt(b.seconds)) * nanosPerSecond + BigInt(a.nanos - b.nanos));
}
