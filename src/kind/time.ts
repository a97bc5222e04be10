import type { Clock } from '../base/clock.ts';

/** The second that was last written out, and how. */
let latest = { second: Number.NaN, text: '' };

/** The time as objects carry it: RFC 3339 in UTC, whole seconds. */
export function timestamp(clock: Clock): string {
  const second = Math.floor(clock.now() / 1000);
  if (latest.second !== second) latest = { second, text: textOf(second * 1000) };
  return latest.text;
}

const textOf = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** A time as objects carry it, so many seconds later. */
export function later(time: string, seconds: number): string {
  return textOf(Date.parse(time) + seconds * 1000);
}
