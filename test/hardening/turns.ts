// How long one turn of the event loop may take. Processor time is no measure where a machine's host takes it away, so only
// `npm run test:event-loop`, which has the machine to itself, holds turns to milliseconds; elsewhere they must come to an end.
import assert from 'node:assert/strict';

/** Set by `npm run test:event-loop`. */
const measuresTurns = process.env.ORCH_MEASURE_EVENT_LOOP === 'yes';

/** Nothing here takes nearly as long, however slow the machine: what does, would not end for larger bodies. Milliseconds. */
const runaway = 10_000;

/** As long as a turn may be, where `limit` is asked of one on a machine that has nothing else to do. */
export const turnLimit = (limit: number): number => (measuresTurns ? limit : runaway);

export interface Timed {
  /** The longest turn, in milliseconds of the processor. */
  readonly turn: number;
}

/** The first answer. It is quick if the best of some tries was, for the engine may have had something else to do in one. */
export async function quickly<T extends Timed>(limit: number, attempt: () => Promise<T>): Promise<T> {
  const longest = turnLimit(limit);
  const first = await attempt();
  let best = first.turn;
  for (let tries = 1; tries < 5 && best >= longest; tries++) best = Math.min(best, (await attempt()).turn);
  assert.ok(best < longest, `${best.toFixed(1)} ms in one turn, of ${longest.toFixed(1)}`);
  return first;
}
