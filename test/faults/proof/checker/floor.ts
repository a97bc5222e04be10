import type { RunRecord } from '../record.ts';

interface Sight {
  readonly at: number;
  readonly revision: number;
}

/** The highest revision that any client had observed by a time: a later request may not see less. */
export class Floor {
  readonly #times: number[] = [];
  readonly #highest: number[] = [];

  constructor(record: RunRecord) {
    const sights: Sight[] = [];
    for (const { ended, object } of record.writes)
      if (object) sights.push({ at: ended, revision: object.revision });
    for (const { ended, object } of record.gets)
      if (object) sights.push({ at: ended, revision: object.revision });
    const listsAndWatches = record.watchers.flatMap((watcher) => watcher.listsAndWatches);
    for (const { ended, revision } of [...record.lists, ...listsAndWatches.map(({ list }) => list)])
      sights.push({ at: ended, revision });
    for (const event of listsAndWatches.flatMap(({ sessions }) =>
      sessions.flatMap((session) => session.events),
    ))
      sights.push({
        at: event.at,
        revision: event.type === 'BOOKMARK' ? event.revision : event.object.revision,
      });
    sights.sort((a, b) => a.at - b.at);
    let highest = 0;
    for (const { at, revision } of sights) {
      if (revision <= highest) continue;
      highest = revision;
      this.#times.push(at);
      this.#highest.push(revision);
    }
  }

  /** The highest revision observed before this time. */
  before(time: number): number {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#times[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : this.#highest[low - 1]!;
  }
}
