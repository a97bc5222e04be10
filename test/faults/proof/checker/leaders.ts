import type { LeaseSeen, RunRecord, Stretch } from '../record.ts';
import type { Report } from './violation.ts';

/** A server that was made to stand still must notice so soon after it goes on that it does not lead any more. */
const NOTICE_MS = 5_000;

/**
 * No two servers lead at once. Time in which a server stands still does not count, for it does nothing then; what counts is
 * all it does after that, but for as long as it may take to notice.
 */
export function checkLeaders({ leading, standstills, leases }: RunRecord, report: Report): void {
  const awake = leading.flatMap((stretch) => without(stretch, standstills));
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

/** The parts of a stretch in which the server does not stand still, and has had time to notice that it did. */
function without(stretch: Stretch, standstills: readonly Stretch[]): Stretch[] {
  let parts = [stretch];
  for (const still of standstills) {
    if (still.server !== stretch.server) continue;
    parts = parts.flatMap((part) => [
      { ...part, until: Math.min(part.until, still.from) },
      { ...part, from: Math.max(part.from, still.until + NOTICE_MS) },
    ]);
  }
  return parts.filter(({ from, until }) => until > from);
}

/** A lease changes hands when it is given back, or has run out since it was last renewed. */
function checkLeases(leases: readonly LeaseSeen[], report: Report): void {
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
