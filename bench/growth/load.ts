// A closed loop of requests of the scale benchmark, with the CPU time of the server per request.
import { cpuSeconds, withDescendants } from '../machine/process-tree.ts';

export interface Cost {
  /** Per second. */
  readonly rate: number;
  /** CPU time of the server per request, in microseconds. */
  readonly cpuMicroseconds: number;
}

const connections = 16;

/** Sends requests until `isDone` returns true for the number of those sent so far. */
export async function load(
  pids: readonly number[],
  isDone: (sent: number) => boolean,
  send: (number: number) => Promise<unknown>,
): Promise<Cost> {
  const servers = withDescendants(pids);
  const startSeconds = cpuSeconds(servers);
  const startMs = performance.now();
  let sent = 0;
  const worker = async (): Promise<void> => {
    while (!isDone(sent)) await send(sent++);
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return {
    rate: (sent * 1000) / (performance.now() - startMs),
    cpuMicroseconds: ((cpuSeconds(servers) - startSeconds) * 1e6) / sent,
  };
}

export function forSeconds(seconds: number): () => boolean {
  const endMs = performance.now() + seconds * 1000;
  return () => performance.now() >= endMs;
}
