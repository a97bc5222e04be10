// The servers of the thread benchmark: held to one and to two processors, with one and with two serving threads.
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export interface Configuration {
  readonly side: 'orch' | 'reference';
  readonly cores: number;
  /** Serving threads of Orch; kube-apiserver uses every processor that it has. */
  readonly threads?: number;
}

export const configurations: readonly Configuration[] = [
  ...[1, 2].flatMap((cores) => [1, 2].map((threads) => ({ side: 'orch' as const, cores, threads }))),
  ...[1, 2].map((cores) => ({ side: 'reference' as const, cores })),
];

export function titleOf({ side, cores, threads }: Configuration): string {
  const parts = [plural(cores, 'core'), ...(threads === undefined ? [] : [plural(threads, 'thread')])];
  return `${side === 'orch' ? 'Orch' : 'kube-apiserver + etcd'}, ${parts.join(', ')}`;
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Starts a server on the first processors, and leaves the others to this process and its load generators, if there are any. */
export async function startHeld(cores: number, start: () => Promise<unknown>): Promise<void> {
  const all = initialProcessors;
  const others = all.slice(cores);
  // A child process inherits the processors of the thread that starts it.
  holdTo(all.slice(0, cores));
  try {
    await start();
  } finally {
    holdTo(others.length > 0 ? others : all);
  }
}

const initialProcessors = Array.from({ length: availableParallelism() }, (_, index) => index);

function holdTo(processors: readonly number[]): void {
  execFileSync('taskset', ['-p', '-c', processors.join(','), String(process.pid)], { stdio: 'ignore' });
}
