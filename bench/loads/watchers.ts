// Starts the watcher process of the benchmark and receives its results.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { cpuSeconds } from '../machine/process-tree.ts';
import { http2PortOf, type Side } from '../sides/side.ts';
import type { FromWatchers, ToWatchers, WatcherSettings } from './watcher-messages.ts';

const timeoutSeconds = 60;

export interface WatchDelays {
  readonly delivered: number;
  readonly p50: number;
  readonly p99: number;
}

/** Many watches, in a child process. */
export class Watchers {
  readonly #title: string;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, () => void>();
  readonly #failed: Promise<never>;
  #onDelays: ((delays: WatchDelays) => void) | undefined;

  private constructor(title: string, child: ChildProcess, failed: Promise<never>) {
    this.#title = title;
    this.#child = child;
    this.#failed = failed;
    failed.catch(() => undefined);
  }

  static async open(side: Side, options: Omit<WatcherSettings, 'port' | 'token'>): Promise<Watchers> {
    const program = join(import.meta.dirname, 'watcher-process.ts');
    const port = options.streams === undefined ? side.port : http2PortOf(side);
    const settings: WatcherSettings = { ...options, port, token: side.token };
    const child = fork(program, [JSON.stringify(settings)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let fail: (error: Error) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const watchers = new Watchers(side.title, child, failed);
    const opened = new Promise<void>((resolve) => {
      child.on('message', (message: FromWatchers) => {
        if (message.type === 'open') resolve();
        else if (message.type === 'lost') fail(new Error(`${side.title}: ${message.reason}`));
        else watchers.#onMessage(message);
      });
      child.once('exit', () => fail(new Error('the watcher process exited')));
    });
    await Promise.race([opened, failed]);
    return watchers;
  }

  #onMessage(message: Extract<FromWatchers, { type: 'complete' | 'delays' }>): void {
    if (message.type === 'complete') {
      this.#waiting.get(message.sequence)?.();
      this.#waiting.delete(message.sequence);
    } else {
      const { delivered, p50, p99 } = message;
      this.#onDelays?.({ delivered, p50, p99 });
    }
  }

  /** Resolves when every watcher has received this event. Call it before the write. */
  complete(sequence: number): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          new Error(`${this.#title}: after ${timeoutSeconds} s not every watcher has received an event`),
        );
      }, timeoutSeconds * 1000).unref();
      this.#waiting.set(sequence, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    return Promise.race([done, this.#failed]);
  }

  /** The delays since the last call, from sending the write to reading the event. */
  delays(): Promise<WatchDelays> {
    const report = new Promise<WatchDelays>((resolve) => {
      this.#onDelays = resolve;
    });
    this.#child.send({ type: 'report' } satisfies ToWatchers);
    return Promise.race([report, this.#failed]);
  }

  cpuSeconds(): number {
    return this.#child.pid === undefined ? 0 : cpuSeconds([this.#child.pid]);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.removeAllListeners('message');
      this.#child.once('exit', () => resolve());
      this.#child.disconnect();
    });
  }
}
