import type { Compaction, RecordedExpiry } from '../record.ts';
import type { Floor } from './floor.ts';
import type { Report } from './violation.ts';

/** No 410 was returned for history that was not compacted. */
export function checkExpiries(
  expiries: readonly RecordedExpiry[],
  compactions: readonly Compaction[],
  floor: Floor,
  report: Report,
): void {
  for (const { server, revision, ended, collection } of expiries) {
    const isTrue = compactions.some(
      (cut) =>
        (cut.server ?? server) === server &&
        cut.from <= ended &&
        revision <= floor.before(Math.min(cut.until, ended)),
    );
    if (!isTrue)
      report(
        'needless expiry',
        `server ${server} said at ${Math.round(ended)} ms that ${collection} after ${revision} is forgotten`,
      );
  }
}
