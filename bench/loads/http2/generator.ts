// Starts the HTTP/2 load generator and receives its results.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { cpuSeconds } from '../../machine/process-tree.ts';
import { measureUsage, type Usage } from '../../machine/usage.ts';
import { http2PortOf, type Side } from '../../sides/side.ts';
import type { FromGenerator, GeneratorResult, LoadSettings, ToGenerator } from './load-messages.ts';

export type Http2Load = Omit<LoadSettings, 'port' | 'token'>;

export interface Http2LoadResult extends GeneratorResult, Usage {}

export class Http2Generator {
  readonly #child: ChildProcess;
  readonly #side: Side;
  readonly #failed: Promise<never>;
  #onMessage: (message: FromGenerator) => void = () => undefined;

  private constructor(side: Side, child: ChildProcess) {
    this.#side = side;
    this.#child = child;
    child.on('message', (message: FromGenerator) => this.#onMessage(message));
    this.#failed = new Promise((_, reject) => {
      child.once('exit', () => reject(new Error('the HTTP/2 load generator exited')));
    });
    this.#failed.catch(() => undefined);
  }

  /** Resolves once its connections are open. */
  static async open(side: Side, load: Http2Load): Promise<Http2Generator> {
    const settings: LoadSettings = { ...load, port: http2PortOf(side), token: side.token };
    const child = fork(join(import.meta.dirname, 'load-process.ts'), [JSON.stringify(settings)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const generator = new Http2Generator(side, child);
    await generator.#receive('ready');
    return generator;
  }

  /** Runs the load. Throws if every request has failed. */
  async run(seconds: number): Promise<Http2LoadResult> {
    const usage = measureUsage(this.#side, () => this.cpuSeconds());
    this.#child.send({ type: 'start', seconds } satisfies ToGenerator);
    const result = await this.#receive('result');
    const cpuUsage = usage();
    if (result.requests > 0 && result.failures === result.requests) {
      throw new Error(`${this.#side.title}: every request has failed: ${result.firstFailure}`);
    }
    return { ...result, ...cpuUsage };
  }

  cpuSeconds(): number {
    return this.#child.pid === undefined ? 0 : cpuSeconds([this.#child.pid]);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('exit', () => resolve());
      this.#child.disconnect();
    });
  }

  #receive<Type extends FromGenerator['type']>(type: Type): Promise<Extract<FromGenerator, { type: Type }>> {
    const received = new Promise<Extract<FromGenerator, { type: Type }>>((resolve) => {
      this.#onMessage = (message) => {
        if (message.type === type) resolve(message as Extract<FromGenerator, { type: Type }>);
      };
    });
    return Promise.race([received, this.#failed]);
  }
}

/** Runs one load and closes its connections. */
export async function runHttp2Load(side: Side, load: Http2Load, seconds: number): Promise<Http2LoadResult> {
  const generator = await Http2Generator.open(side, load);
  try {
    return await generator.run(seconds);
  } finally {
    await generator.close();
  }
}
