import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Sent } from './loop-client.ts';
import { type RealServer, tokens } from './real-server.ts';

/** What became of a request, and the longest turn of the event loop meanwhile, in milliseconds of the processor. */
export interface Measured {
  readonly code: number;
  readonly text: string;
  readonly turn: number;
}

const spent = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * Sends requests from a thread of its own, and measures what they cost in one turn of the event loop: as time of the
 * server's own thread on the processor, which says the same on a machine that is busy with other things.
 */
export class MeasuredLoop {
  readonly #worker: Worker;

  constructor(server: RealServer) {
    this.#worker = new Worker(new URL('./loop-client.ts', import.meta.url), {
      workerData: { port: server.securePort, ca: server.ca, token: tokens.admin },
    });
  }

  async ask(request: Partial<Sent>): Promise<Measured> {
    const answered = once(this.#worker, 'message');
    this.#worker.postMessage({ method: 'GET', path: '/', headers: {}, body: '', ...request });
    let answer: { code: number; text: string } | undefined;
    answered.then(([received]) => {
      answer = received as { code: number; text: string };
    });
    let turn = 0;
    let before = spent();
    while (answer === undefined) {
      await new Promise(setImmediate);
      const now = spent();
      turn = Math.max(turn, now - before);
      before = now;
    }
    return { ...answer, turn };
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
