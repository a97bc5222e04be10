import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookEvery = 5_000;
/** Below this share of a core the process counts as idle. */
const idleShare = 0.03;
/** Less work than this since the last time leaves nothing worth collecting. */
const workWorthIt = 1_000_000;

/**
 * Gives memory back once a busy time is over. V8 collects when it needs room, so after a burst of writes a process
 * that does nothing any more would keep all that the burst took. Returns how to stop it.
 */
export function returnMemoryWhenIdle(): () => void {
  let before = cpuMicroseconds();
  let workSince = 0;
  const timer = setInterval(() => {
    const now = cpuMicroseconds();
    const used = now - before;
    before = now;
    workSince += used;
    if (used > lookEvery * 1000 * idleShare || workSince < workWorthIt) return;
    collect();
    before = cpuMicroseconds();
    workSince = 0;
  }, lookEvery);
  timer.unref();
  return () => clearInterval(timer);
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function collect(): void {
  // The collector has no API of its own; a context made after the flag is set has it as a global.
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  gc();
}
