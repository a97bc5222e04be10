// Timestamps of objects: RFC 3339 in UTC, whole seconds.

import type { Clock } from '../base/clock.ts';

/** Most objects of a burst share a second: the latest text is kept. */
let latest = { second: Number.NaN, text: '' };

/** The current time as a timestamp. */
export function timestamp(clock: Clock): string {
  const second = Math.floor(clock.now() / 1000);
  if (latest.second !== second) latest = { second, text: formatTimestamp(second * 1000) };
  return latest.text;
}

const formatTimestamp = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** A timestamp plus seconds. */
export function addSeconds(time: string, seconds: number): string {
  return formatTimestamp(Date.parse(time) + seconds * 1000);
}
