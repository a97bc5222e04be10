import type { ReadConsistency, RecordedGet, RecordedList } from '../record.ts';
import type { Floor } from './floor.ts';
import { chainIndex, describe, exists, type History, sameObject } from './history.ts';
import type { Report } from './violation.ts';

/** The minimum revision of a response. */
function leastOf(consistency: ReadConsistency, began: number, floor: Floor): number {
  if (consistency === 'newest') return floor.before(began);
  if (consistency === 'any') return 0;
  return 'notBefore' in consistency ? consistency.notBefore : consistency.exactly;
}

/** A list is the state at its revision, and as recent as requested. Returns whether it could be compared. */
export function checkList(list: RecordedList, history: History, floor: Floor, report: Report): boolean {
  const { consistency, began, revision, items, collection, server } = list;
  const least = leastOf(consistency, began, floor);
  const where = `the list of ${collection} at ${revision} by server ${server}`;
  if (revision < least)
    report('stale read', `${where}, begun at ${Math.round(began)} ms, should be at ${least} or later`);
  if (typeof consistency === 'object' && 'exactly' in consistency && revision !== consistency.exactly)
    report('wrong list', `${where} was to be at ${consistency.exactly}`);
  if (!history.knows(revision)) return false;
  const state = new Map(history.stateAt(revision).map((object) => [object.name, object]));
  for (const item of items) {
    const object = state.get(item.name);
    state.delete(item.name);
    if (!object || object.revision !== item.revision || !sameObject(object, item))
      report(
        'wrong list',
        `${where} has ${describe(item)} in place of ${object ? describe(object) : 'nothing'}`,
      );
  }
  for (const object of state.values()) report('wrong list', `${where} lacks ${describe(object)}`);
  return true;
}

/** A get returns the object at a revision that is as recent as requested. */
export function checkGet(get: RecordedGet, history: History, floor: Floor, report: Report): void {
  const { name, consistency, began, object: found, collection, server } = get;
  const least = leastOf(consistency, began, floor);
  const chain = history.chainOf(name);
  const where = `the get of ${collection}/${name} by server ${server}, begun at ${Math.round(began)} ms,`;
  if (found) {
    const at = chain.findIndex(({ object }) => object.revision === found.revision);
    const change = chain[at];
    if (!change) {
      if (history.tells(found.revision))
        report('wrong get', `${where} shows ${describe(found)}, which never was`);
    } else if (!exists(change) || !sameObject(change.object, found))
      report('wrong get', `${where} shows ${describe(found)} and not ${describe(change.object)}`);
    else {
      const next = chain[at + 1];
      if (next && next.type !== 'GONE' && next.object.revision <= least)
        report('stale read', `${where} shows ${describe(found)}, though revision ${least} had been seen`);
    }
    return;
  }
  if (history.gaps.length > 0) return;
  // It may have been deleted at any time from `least` on.
  const at = chainIndex(chain, least);
  const wasGone = at < 0 || !exists(chain[at]!) || chain.slice(at + 1).some((change) => !exists(change));
  if (!wasGone)
    report(
      'stale read',
      `${where} finds nothing, though ${describe(chain[at]!.object)} was there at ${least}`,
    );
}
