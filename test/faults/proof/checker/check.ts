/** Checks that the recorded history of a run is consistent with the guarantees of the server. */
import type { RunRecord } from '../record.ts';
import { checkExpiries } from './expiries.ts';
import { Floor } from './floor.ts';
import { type History, historiesOf } from './history.ts';
import { checkLeaders } from './leaders.ts';
import { checkGet, checkList } from './reads.ts';
import type { Report, Violation } from './violation.ts';
import { checkWatcher } from './watches.ts';
import { checkWrites } from './writes.ts';

export interface Checked {
  readonly violations: Violation[];
  /** Lists at revisions whose state is unknown, because history was compacted under all watchers. */
  readonly uncompared: number;
  readonly changes: number;
}

export function check(record: RunRecord): Checked {
  const violations: Violation[] = [];
  const report: Report = (rule, what) => violations.push({ rule, what });
  const histories = historiesOf(record, report);
  const floor = new Floor(record);
  let uncompared = 0;
  for (const [collection, history] of histories) {
    const isOf = (each: { readonly collection: string }) => each.collection === collection;
    const watchers = record.watchers.filter(isOf);
    for (const watcher of watchers) checkWatcher(watcher, history, report);
    checkWrites(record.writes.filter(isOf), history, floor, report);
    const begun = watchers.flatMap(({ listsAndWatches }) => listsAndWatches.map(({ list }) => list));
    for (const list of [...record.lists.filter(isOf), ...begun])
      if (!checkList(list, history, floor, report)) uncompared++;
    for (const get of record.gets.filter(isOf)) checkGet(get, history, floor, report);
  }
  checkUnique([...histories.values()], report);
  checkExpiries(record.expiries, record.compactions, floor, report);
  checkLeaders(record, report);
  for (const { server, at, how } of record.unexpectedExits)
    report('dead server', `server ${server} ended by itself at ${Math.round(at)} ms: ${how}`);
  const changes = [...histories.values()].reduce((sum, history) => sum + history.changes.length, 0);
  return { violations, uncompared, changes };
}

function checkUnique(histories: readonly History[], report: Report): void {
  const owners = new Map<number, string>();
  for (const { collection, changes } of histories) {
    for (const { type, object } of changes) {
      if (type === 'GONE') continue;
      const owner = `${collection}/${object.name}`;
      const other = owners.get(object.revision);
      if (other !== undefined && other !== owner)
        report('reused revision', `${object.revision} is of ${owner} and of ${other}`);
      owners.set(object.revision, owner);
    }
  }
}
