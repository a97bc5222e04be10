// CEL standard library: accessors of timestamps and durations.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import { nominal } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { inZone } from '../time/zones.ts';
import { type Duration, type Timestamp, toInt } from '../values.ts';

type Accessor = (date: Date, timestamp: Timestamp) => number;

const dayOfYear: Accessor = (date) => {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / 86_400_000);
};

/** Function, overload id, and the value. The UTC fields of `date` are the date and time in the time zone (see inZone). */
const timestampAccessors: readonly (readonly [name: string, id: string, accessor: Accessor])[] = [
  ['getFullYear', 'timestamp_to_year', (date) => date.getUTCFullYear()],
  ['getMonth', 'timestamp_to_month', (date) => date.getUTCMonth()],
  ['getDayOfYear', 'timestamp_to_day_of_year', dayOfYear],
  ['getDate', 'timestamp_to_day_of_month_1_based', (date) => date.getUTCDate()],
  ['getDayOfMonth', 'timestamp_to_day_of_month', (date) => date.getUTCDate() - 1],
  ['getDayOfWeek', 'timestamp_to_day_of_week', (date) => date.getUTCDay()],
  ['getHours', 'timestamp_to_hours', (date) => date.getUTCHours()],
  ['getMinutes', 'timestamp_to_minutes', (date) => date.getUTCMinutes()],
  ['getSeconds', 'timestamp_to_seconds', (date) => date.getUTCSeconds()],
  ['getMilliseconds', 'timestamp_to_milliseconds', (_, { nanos }) => Math.floor(nanos / 1_000_000)],
];

/** Function, overload id, and the nanoseconds of its unit. */
const durationAccessors: readonly (readonly [name: string, id: string, nanos: bigint])[] = [
  ['getHours', 'duration_to_hours', 3_600_000_000_000n],
  ['getMinutes', 'duration_to_minutes', 60_000_000_000n],
  ['getSeconds', 'duration_to_seconds', 1_000_000_000n],
];

export function addTimeFunctions(builder: LibraryBuilder): void {
  for (const [name, id, accessor] of timestampAccessors) {
    const zonedId = name === 'getSeconds' ? `${id}_tz` : `${id}_with_tz`;
    builder
      .add(name, `.${id}`, 'timestamp -> int', nominal, (timestamp: Timestamp) =>
        accessor(inZone(timestamp, 'UTC'), timestamp),
      )
      .add(name, `.${zonedId}`, 'timestamp, string -> int', nominal, (timestamp: Timestamp, zone: string) =>
        accessor(inZone(timestamp, zone), timestamp),
      );
  }
  for (const [name, id, nanos] of durationAccessors) {
    builder.add(name, `.${id}`, 'duration -> int', nominal, (value: Duration) => toInt(value.nanos / nanos));
  }
  builder.add('getMilliseconds', '.duration_to_milliseconds', 'duration -> int', nominal, (value: Duration) =>
    toInt((value.nanos % 1_000_000_000n) / 1_000_000n),
  );
}

/** Upstream returns all milliseconds of a duration, whereas the specification has only those beyond whole seconds. */
export const allMilliseconds: Library = new LibraryBuilder()
  .add('getMilliseconds', '.duration_to_milliseconds', 'duration -> int', nominal, (value: Duration) =>
    toInt(value.nanos / 1_000_000n),
  )
  .library();
