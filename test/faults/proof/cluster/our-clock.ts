/** Clocks of servers are moved by whole minutes, so that the real time of a log line can be computed. */
export const MINUTE = 60_000;
/** How far an unmoved clock may seem to be ahead of ours. */
const AHEAD_MS = 1_000;

/** Our time for a time on a server's clock less than a minute ago, whatever its offset. */
export function onOurClock(epochMs: number): number {
  return performance.now() - ageOf(epochMs, Date.now());
}

/** How long ago it was, by a clock that may have been moved. Never negative. */
export function ageOf(epochMs: number, now: number): number {
  const minutes = Math.floor((now - epochMs + AHEAD_MS) / MINUTE);
  return now - epochMs - minutes * MINUTE;
}
