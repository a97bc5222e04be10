import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { TimedResult } from './event-loop-limits.ts';
import type { Sent } from './loop-client.ts';
import { type RealServer, tokens } from './real-server.ts';

/** The response to a request, and the longest turn of the event loop meanwhile. */
export interface MeasuredResponse extends TimedResult {
  readonly code: number;
  readonly text: string;
}

const spent = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Measures until the request is done. It allocates little, because garbage would be collected in some turn. */
function longestTurn(isOver: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    let longest = 0;
    let before = spent();
    const look = () => {
      const now = spent();
      longest = Math.max(longest, now - before);
      before = now;
      if (isOver()) resolve(longest);
      else setImmediate(look);
    };
    setImmediate(look);
  });
}

/**
 * Sends requests from another thread, and measures the longest turn of the event loop, as CPU time of the
 * server's own thread.
 */
export class MeasuredLoop {
  readonly #worker: Worker;

  constructor(server: RealServer) {
    this.#worker = new Worker(new URL('./loop-client.ts', import.meta.url), {
      workerData: { port: server.securePort, ca: server.ca, token: tokens.admin },
    });
  }

  async ask(request: Partial<Sent>): Promise<MeasuredResponse> {
    const answered = once(this.#worker, 'message');
    this.#worker.postMessage({ method: 'GET', path: '/', headers: {}, body: '', ...request });
    let answer: { code: number; text: string } | undefined;
    answered.then(([received]) => {
      answer = received as { code: number; text: string };
    });
    const turn = await longestTurn(() => answer !== undefined);
    return { ...answer!, turn };
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
