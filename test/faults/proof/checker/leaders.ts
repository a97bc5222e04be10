import type { Period, RecordedLease, RunRecord } from '../record.ts';
import type { Report } from './violation.ts';

/** How soon a paused server must notice after it resumes that it no longer leads. */
const NOTICE_MS = 5_000;

/**
 * No two servers lead at once. The time in which a server is paused does not count, because it does nothing then; everything
 * after that counts, except for the time that it may take to notice.
 */
export function checkLeaders({ leaderships, pauses, leases }: RunRecord, report: Report): void {
  const awake = leaderships.flatMap((period) => without(period, pauses));
  for (const [i, one] of awake.entries()) {
    for (const other of awake.slice(i + 1)) {
      if (one.server === other.server) continue;
      const from = Math.max(one.from, other.from);
      const until = Math.min(one.until, other.until);
      if (until > from)
        report(
          'two leaders',
          `servers ${one.server} and ${other.server} both led from ${Math.round(from)} to ${Math.round(until)} ms`,
        );
    }
  }
  for (const unbroken of leases) checkLeases(unbroken, report);
}

/** The parts of a period in which the server is not paused, and has had time to notice a pause. */
function without(period: Period, pauses: readonly Period[]): Period[] {
  let parts = [period];
  for (const still of pauses) {
    if (still.server !== period.server) continue;
    parts = parts.flatMap((part) => [
      { ...part, until: Math.min(part.until, still.from) },
      { ...part, from: Math.max(part.from, still.until + NOTICE_MS) },
    ]);
  }
  return parts.filter(({ from, until }) => until > from);
}

/** A Lease changes its holder when it was released, or has expired since its last renewal. */
function checkLeases(leases: readonly RecordedLease[], report: Report): void {
  for (const [i, lease] of leases.entries()) {
    const before = leases[i - 1];
    if (!before || before.holder === '' || lease.holder === '' || before.holder === lease.holder) continue;
    if (lease.renewed - before.renewed >= before.duration) continue;
    report(
      'early lease',
      `${lease.holder} has taken the lease at revision ${lease.revision}, ${lease.renewed - before.renewed} ms after it was renewed`,
    );
  }
}
