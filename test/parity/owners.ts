import type { Json, JsonObject } from './case.ts';
import { isRecent } from './times.ts';

/**
 * managedFields with comparable times. Times have seconds, and two writes of a case may or may not fall into the same one, so
 * a time is only the number of pauses of the case before it. Entries are sorted by time and then by name: if they are, they
 * are sorted again by their comparable times.
 */
export function timeless(owners: JsonObject[], pauses: readonly number[]): JsonObject[] {
  if (!owners.every((owner, i) => i === 0 || inOrder(owners[i - 1] ?? {}, owner))) {
    return [...owners, { '@order': 'neither by time nor by name' }];
  }
  return owners
    .map((owner) => ({ owner, when: pausesBefore(owner.time, pauses) }))
    .sort((a, b) => compare(sortKey(a.owner, a.when), sortKey(b.owner, b.when)))
    .map(({ owner, when }) =>
      typeof when === 'number' && when > 0 ? { ...owner, time: `<after pause ${when}>` } : owner,
    );
}

function inOrder(one: JsonObject, next: JsonObject): boolean {
  return compare(sortKey(one, one.time), sortKey(next, next.time)) <= 0;
}

/** No time comes before any time, one that a client sent before those of the case. */
function sortKey(
  { operation, manager, apiVersion, subresource }: JsonObject,
  when: Json | undefined,
): string[] {
  const time = when === undefined ? '' : typeof when === 'number' ? `9999-${when}` : String(when);
  return [operation, time, manager, apiVersion, subresource].map((part) => String(part ?? ''));
}

function compare(one: string[], other: string[]): number {
  const at = one.findIndex((part, i) => part !== other[i]);
  return at < 0 ? 0 : (one[at] ?? '') < (other[at] ?? '') ? -1 : 1;
}

/** A time that is not recent is kept. */
function pausesBefore(time: Json | undefined, pauses: readonly number[]): Json | undefined {
  if (typeof time !== 'string' || !isRecent(time)) return time;
  return pauses.filter((pause) => pause < Date.parse(time)).length;
}
