import type { Clock } from '../clock.ts';

/** The time as objects carry it: RFC 3339 in UTC, whole seconds. */
export function timestamp(clock: Clock): string {
  return `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
}

/** A time as objects carry it, so many seconds later. */
export function later(time: string, seconds: number): string {
  return `${new Date(Date.parse(time) + seconds * 1000).toISOString().slice(0, 19)}Z`;
}
