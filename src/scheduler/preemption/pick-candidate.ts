// Preemption: which of several nodes to choose.
import type { Candidate } from './select-victims.ts';

/** Makes the sum of priorities count the number of victims, also if priorities are negative. */
const priorityOffset = 2 ** 31;

/** In order: where candidates are equal, the next criterion decides. Lower is better. */
const criteria: readonly ((candidate: Candidate) => number)[] = [
  ({ violations }) => violations,
  ({ victims }) => victims[0]?.priority ?? Number.NEGATIVE_INFINITY,
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + priorityOffset, 0),
  ({ victims }) => victims.length,
  (candidate) => -earliestStart(candidate),
];

/** The first of the best candidates; there is at least one. */
export function pickCandidate(candidates: readonly Candidate[]): Candidate {
  let best = candidates;
  for (const criterion of criteria) {
    const values = best.map(criterion);
    const lowest = Math.min(...values);
    best = best.filter((_, i) => values[i] === lowest);
    if (best.length === 1) break;
  }
  return best[0]!;
}

/** When the first of the victims with the highest priority started. */
function earliestStart({ victims }: Candidate): number {
  const highest = victims[0]?.priority;
  return Math.min(
    ...victims.filter(({ priority }) => priority === highest).map(({ startedAtMs }) => startedAtMs),
  );
}
