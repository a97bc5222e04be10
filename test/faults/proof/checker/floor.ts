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
    for (const { ended, shown } of record.writes)
      if (shown) sights.push({ at: ended, revision: shown.revision });
    for (const { ended, found } of record.gets)
      if (found) sights.push({ at: ended, revision: found.revision });
    const followings = record.watchers.flatMap((watcher) => watcher.followings);
    for (const { ended, revision } of [...record.lists, ...followings.map(({ list }) => list)])
      sights.push({ at: ended, revision });
    for (const heard of followings.flatMap(({ sessions }) => sessions.flatMap((session) => session.heard)))
      sights.push({
        at: heard.at,
        revision: heard.type === 'BOOKMARK' ? heard.revision : heard.object.revision,
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
