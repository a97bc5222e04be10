import type { Following, Heard, WatcherSeen } from '../record.ts';
import type { History } from './history.ts';
import type { Report } from './violation.ts';

/** Each watcher received every change exactly once and in order, across all its watches, and bookmarks were correct. */
export function checkWatcher(watcher: WatcherSeen, history: History, report: Report): void {
  for (const following of watcher.followings) {
    checkOrder(watcher.name, following, report);
    checkComplete(watcher.name, following, history, report);
  }
}

const revisionOf = (heard: Heard) => (heard.type === 'BOOKMARK' ? heard.revision : heard.object.revision);

function checkOrder(name: string, { list, sessions }: Following, report: Report): void {
  let reached = list.revision;
  let byBookmark = false;
  for (const { heard, server } of sessions) {
    for (const each of heard) {
      const revision = revisionOf(each);
      const isBookmark = each.type === 'BOOKMARK';
      if (isBookmark ? revision < reached : revision <= reached) {
        const rule = byBookmark || isBookmark ? 'lying bookmark' : 'repeated event';
        const after = byBookmark ? 'a bookmark of' : 'what it had up to';
        report(rule, `${name} heard ${each.type} ${revision} of server ${server} after ${after} ${reached}`);
      }
      if (revision < reached) continue;
      reached = revision;
      byBookmark = isBookmark;
    }
  }
}

function checkComplete(name: string, { list, sessions }: Following, history: History, report: Report): void {
  const heard = sessions.flatMap((session) => session.heard);
  const told = new Set(heard.filter(({ type }) => type !== 'BOOKMARK').map(revisionOf));
  const reached = heard.reduce((highest, each) => Math.max(highest, revisionOf(each)), list.revision);
  for (const { type, object } of history.changes) {
    if (type === 'FOUND' || type === 'GONE' || told.has(object.revision)) continue;
    if (object.revision <= list.revision || object.revision > reached) continue;
    const passed = heard.find((each) => revisionOf(each) >= object.revision);
    report(
      passed?.type === 'BOOKMARK' ? 'lying bookmark' : 'missed event',
      `${name} never heard of ${type} ${object.name}@${object.revision}, and went on to ${passed?.type} ${passed && revisionOf(passed)}`,
    );
  }
}
