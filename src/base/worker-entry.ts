// Starts worker threads of the program: from the file of their entry or, in a single executable, from the text that it embeds.
import { Worker, type WorkerOptions } from 'node:worker_threads';

export type WorkerName = 'write-thread' | 'pattern-thread' | 'serving-thread';

let embeddedSource: ((name: WorkerName) => string) | undefined;

/** Called at the start of a single executable, which has no files. */
export function embedWorkers(source: (name: WorkerName) => string): void {
  embeddedSource = source;
}

/** Whether this program is a single executable. */
export const isSingleExecutable = () => embeddedSource !== undefined;

export function startWorker(name: WorkerName, file: URL, options: WorkerOptions): Worker {
  return embeddedSource
    ? new Worker(embeddedSource(name), { ...options, eval: true })
    : new Worker(file, options);
}
