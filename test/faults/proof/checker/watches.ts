import type { ListAndWatch, RecordedEvent, RecordedWatcher } from '../record.ts';
import type { History } from './history.ts';
import type { Report } from './violation.ts';

/** Each watcher received every change exactly once and in order, across all its watches, and bookmarks were correct. */
export function checkWatcher(watcher: RecordedWatcher, history: History, report: Report): void {
  for (const each of watcher.listsAndWatches) {
    checkOrder(watcher.name, each, report);
    checkComplete(watcher.name, each, history, report);
  }
}

const revisionOf = (event: RecordedEvent) =>
  event.type === 'BOOKMARK' ? event.revision : event.object.revision;

function checkOrder(name: string, { list, sessions }: ListAndWatch, report: Report): void {
  let reached = list.revision;
  let byBookmark = false;
  for (const { events, server } of sessions) {
    for (const each of events) {
      const revision = revisionOf(each);
      const isBookmark = each.type === 'BOOKMARK';
      if (isBookmark ? revision < reached : revision <= reached) {
        const rule = byBookmark || isBookmark ? 'lying bookmark' : 'repeated event';
        const after = byBookmark ? 'a bookmark of' : 'what it had up to';
        report(
          rule,
          `${name} received ${each.type} ${revision} of server ${server} after ${after} ${reached}`,
        );
      }
      if (revision < reached) continue;
      reached = revision;
      byBookmark = isBookmark;
    }
  }
}

function checkComplete(
  name: string,
  { list, sessions }: ListAndWatch,
  history: History,
  report: Report,
): void {
  const events = sessions.flatMap((session) => session.events);
  const received = new Set(events.filter(({ type }) => type !== 'BOOKMARK').map(revisionOf));
  const reached = events.reduce((highest, each) => Math.max(highest, revisionOf(each)), list.revision);
  for (const { type, object } of history.changes) {
    if (type === 'FOUND' || type === 'GONE' || received.has(object.revision)) continue;
    if (object.revision <= list.revision || object.revision > reached) continue;
    const passed = events.find((each) => revisionOf(each) >= object.revision);
    report(
      passed?.type === 'BOOKMARK' ? 'lying bookmark' : 'missed event',
      `${name} never received ${type} ${object.name}@${object.revision}, and went on to ${passed?.type} ${passed && revisionOf(passed)}`,
    );
  }
}
