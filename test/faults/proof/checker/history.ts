import type { EventType, ObservedObject, RecordedWatcher, RunRecord } from '../record.ts';
import { contains, gapsOf, mergeRanges, type Range } from './ranges.ts';
import type { Report } from './violation.ts';

/** A change of one object. `FOUND` and `GONE` are differences that a list after a gap shows, without events. */
export interface Change {
  readonly type: EventType | 'FOUND' | 'GONE';
  readonly object: ObservedObject;
  /** When it was first observed. */
  observedAt: number;
}

/** The history of one collection, combined from all its watchers. */
export class History {
  readonly collection: string;
  /** By revision, oldest first. */
  readonly changes: Change[];
  /** Revisions that some watcher covers. */
  readonly covered: Range[];
  readonly gaps: Range[];
  readonly #chains = new Map<string, Change[]>();

  constructor(collection: string, watchers: readonly RecordedWatcher[], report: Report) {
    this.collection = collection;
    const byRevision = eventsOf(watchers, report);
    const listsAndWatches = watchers.flatMap((watcher) => watcher.listsAndWatches);
    const first = Math.min(...listsAndWatches.map(({ list }) => list.revision));
    // Every collection begins empty.
    this.covered = mergeRanges([
      { after: 0, until: first },
      ...listsAndWatches.map((each) => ({ after: each.list.revision, until: reached(each) })),
    ]);
    this.gaps = gapsOf(this.covered);
    for (const change of byRevision.values()) this.#chain(change.object.name).push(change);
    for (const chain of this.#chains.values()) chain.sort(byOrder);
    for (const gap of this.gaps) {
      const list = listsAndWatches.find((each) => each.list.revision === gap.until)?.list;
      if (list) this.#bridge(gap, list.items, list.ended);
    }
    this.changes = [...this.#chains.values()].flat().sort(byOrder);
  }

  /** Whether all changes up to a revision are known. */
  tells(revision: number): boolean {
    return contains(this.covered, revision);
  }

  /** Whether the state at a revision is known: after a gap it is, by the list that ends the gap. */
  knows(revision: number): boolean {
    return revision === 0 || this.tells(revision) || this.gaps.some(({ until }) => until === revision);
  }

  get names(): Iterable<string> {
    return this.#chains.keys();
  }

  chainOf(name: string): readonly Change[] {
    return this.#chains.get(name) ?? [];
  }

  /** The object as it was at a revision. */
  at(name: string, revision: number): ObservedObject | undefined {
    const chain = this.chainOf(name);
    const change = chain[chainIndex(chain, revision)];
    return change && exists(change) ? change.object : undefined;
  }

  /** The state at a revision. */
  stateAt(revision: number): ObservedObject[] {
    return [...this.#chains.keys()].flatMap((name) => this.at(name, revision) ?? []);
  }

  #chain(name: string): Change[] {
    const chain = this.#chains.get(name) ?? [];
    this.#chains.set(name, chain);
    return chain;
  }

  #bridge(gap: Range, items: readonly ObservedObject[], observedAt: number): void {
    const present = new Map(items.map((item) => [item.name, item]));
    for (const item of items) {
      const chain = this.#chain(item.name);
      // Its state before the gap is known.
      if (item.revision > gap.after) chain.push({ type: 'FOUND', object: item, observedAt });
      chain.sort(byOrder);
    }
    for (const [name, chain] of this.#chains) {
      const last = chain[chainIndex(chain, gap.until)];
      if (present.has(name) || !last || !exists(last)) continue;
      chain.push({ type: 'GONE', object: { ...last.object, revision: gap.until }, observedAt });
      chain.sort(byOrder);
    }
  }
}

const byOrder = (a: Change, b: Change) => a.object.revision - b.object.revision;
export const exists = ({ type }: Change) => type !== 'DELETED' && type !== 'GONE';
export const isInferred = ({ type }: Change) => type === 'FOUND' || type === 'GONE';

/** The index of the last change at or before a revision; -1 if there is none. */
export function chainIndex(chain: readonly Change[], revision: number): number {
  let [low, high] = [0, chain.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chain[middle]!.object.revision <= revision) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The position of a watcher, by events and bookmarks. */
function reached({ list, sessions }: RecordedWatcher['listsAndWatches'][number]): number {
  let highest = list.revision;
  for (const { events } of sessions)
    for (const each of events)
      highest = Math.max(highest, each.type === 'BOOKMARK' ? each.revision : each.object.revision);
  return highest;
}

export const sameObject = (a: ObservedObject, b: ObservedObject) =>
  a.name === b.name && a.uid === b.uid && a.token === b.token && a.patch === b.patch;

/** The change of each revision, on which the watchers agree. */
function eventsOf(watchers: readonly RecordedWatcher[], report: Report): Map<number, Change> {
  const byRevision = new Map<number, Change>();
  for (const { name, listsAndWatches } of watchers) {
    for (const event of listsAndWatches.flatMap(({ sessions }) => sessions.flatMap((each) => each.events))) {
      if (event.type === 'BOOKMARK') continue;
      const { type, object, at } = event;
      const known = byRevision.get(object.revision);
      if (!known) byRevision.set(object.revision, { type, object, observedAt: at });
      else {
        known.observedAt = Math.min(known.observedAt, at);
        if (known.type === type && sameObject(known.object, object)) continue;
        report(
          'differing events',
          `of revision ${object.revision} ${name} received ${type} ${describe(object)}, another ${known.type} ${describe(known.object)}`,
        );
      }
    }
  }
  return byRevision;
}

export const describe = ({ name, revision, token, patch }: ObservedObject) =>
  `${name}@${revision} (${token}${patch === '' ? '' : ` ${patch}`})`;

export function historiesOf(record: RunRecord, report: Report): Map<string, History> {
  const byCollection = new Map<string, RecordedWatcher[]>();
  for (const watcher of record.watchers)
    byCollection.set(watcher.collection, [...(byCollection.get(watcher.collection) ?? []), watcher]);
  return new Map(
    [...byCollection].map(([collection, watchers]) => [
      collection,
      new History(collection, watchers, report),
    ]),
  );
}
