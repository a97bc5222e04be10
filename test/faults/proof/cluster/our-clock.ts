/** Clocks of servers are moved by whole minutes, so that the real time of what a server says can be told. */
export const MINUTE = 60_000;
/** By so much a clock may seem to be ahead of ours that is not. */
const AHEAD_MS = 1_000;

/** The time on our clock of a time that a server's clock showed less than a minute ago, whatever it was moved by. */
export function onOurClock(epochMs: number): number {
  return performance.now() - ageOf(epochMs, Date.now());
}

/** How long ago it was, by a clock that may have been moved. Nobody tells of what is yet to come. */
export function ageOf(epochMs: number, now: number): number {
  const minutes = Math.floor((now - epochMs + AHEAD_MS) / MINUTE);
  return now - epochMs - minutes * MINUTE;
}
