import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Scope, ServerProcess } from '../../../support/server-process.ts';
import type { RunRecord } from '../record.ts';
import { MINUTE, onOurClock } from './our-clock.ts';
import type { TcpProxy } from './tcp-proxy.ts';

const clockModule = pathToFileURL(join(import.meta.dirname, 'moved-clock.ts')).href;
const FILL_BYTES = 64 * 1024;
const TRY_AGAIN_MS = 200;
const LAST_WORDS = 1_500;

export interface ServerOptions {
  readonly number: number;
  readonly root: string | undefined;
  readonly flags: readonly string[];
  /** Its TCP proxies to the etcd members. */
  readonly proxies: readonly TcpProxy[];
  /** A disk that can be filled, for its data. */
  readonly disk: string | undefined;
  /** Records its log lines and exits. */
  readonly record: Pick<RunRecord, 'leaderships' | 'pauses' | 'unexpectedExits'>;
}

/** A server that is killed, paused, disconnected and restarted, with its recorded log. */
export class FaultyServer {
  readonly number: number;
  readonly proxies: readonly TcpProxy[];
  readonly disk: string | undefined;
  readonly #process: ServerProcess;
  readonly #options: ServerOptions;
  readonly #clockFile: string;
  /** When its leadership began, if it leads. */
  #leadsSince: number | undefined;
  #log = '';

  private constructor(options: ServerOptions, process: ServerProcess, clockFile: string) {
    this.number = options.number;
    this.proxies = options.proxies;
    this.disk = options.disk;
    this.#options = options;
    this.#process = process;
    this.#clockFile = clockFile;
    if (options.disk !== undefined) process.dataDir = join(options.disk, 'data');
    process.onLog = (text) => this.#hear(text);
    process.onDeath = ({ code, signal, stderr }) => {
      const how = `${signal ?? code}, having said ${stderr.slice(-LAST_WORDS)}`;
      options.record.unexpectedExits.push({ server: this.number, at: performance.now(), how });
    };
  }

  static async start(scope: Scope, options: ServerOptions): Promise<FaultyServer> {
    const folder = await mkdtemp(join(tmpdir(), 'orch-clock-'));
    const clockFile = join(folder, 'offset');
    writeFileSync(clockFile, '0');
    const server = new FaultyServer(
      options,
      await ServerProcess.prepare(scope, {
        ...(options.root !== undefined && { root: options.root }),
        env: { ORCH_TEST_CLOCK_FILE: clockFile, NODE_OPTIONS: `--import ${clockModule}` },
      }),
      clockFile,
    );
    scope.after(() => rm(folder, { recursive: true }));
    await server.start();
    return server;
  }

  get url(): string {
    return this.#process.url;
  }

  get leads(): boolean {
    return this.#leadsSince !== undefined;
  }

  /** Starts it, with retries. */
  async start(): Promise<void> {
    const deadline = performance.now() + 2 * MINUTE;
    for (;;) {
      try {
        await this.#process.start(...this.#options.flags);
        return;
      } catch (error) {
        // Storage may be unavailable.
        await this.#process.end('SIGKILL');
        if (performance.now() > deadline) throw error;
        await setTimeout(TRY_AGAIN_MS);
      }
    }
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.#process.end(signal);
    this.#endLeading(performance.now());
  }

  async standStill(ms: number): Promise<void> {
    this.#process.pause();
    const from = performance.now();
    await setTimeout(ms);
    // Only the time that was certainly before it resumed.
    const until = performance.now();
    this.#process.resume();
    this.#options.record.pauses.push({ server: this.number, from, until });
  }

  /** Moves its clock; resolves once the server certainly uses it. */
  async moveClock(minutes: number): Promise<void> {
    writeFileSync(this.#clockFile, String(minutes * MINUTE));
    await setTimeout(TRY_AGAIN_MS);
  }

  /** Fills its disk to the last byte. */
  fillDisk(): void {
    const ballast = openSync(this.#ballast, 'w');
    try {
      for (let size = FILL_BYTES; size >= 1; ) {
        try {
          writeSync(ballast, Buffer.alloc(size));
        } catch {
          size = Math.floor(size / 16);
        }
      }
    } finally {
      closeSync(ballast);
    }
  }

  freeDisk(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Closes all open periods at the end of a run. */
  finish(): void {
    this.#endLeading(performance.now());
  }

  get #ballast(): string {
    return join(this.disk ?? '', 'ballast');
  }

  #endLeading(at: number): void {
    if (this.#leadsSince === undefined) return;
    this.#options.record.leaderships.push({ server: this.number, from: this.#leadsSince, until: at });
    this.#leadsSince = undefined;
  }

  #hear(text: string): void {
    const lines = (this.#log + text).split('\n');
    this.#log = lines.pop() ?? '';
    for (const line of lines) {
      if (line.includes('"became leader')) this.#leadsSince = saidAt(line);
      else if (line.includes('"lost leadership')) this.#endLeading(saidAt(line));
    }
  }
}

/** The time of a log line on our clock, whatever the offset of the server's clock. */
function saidAt(line: string): number {
  const { time } = JSON.parse(line) as { time: string };
  return onOurClock(Date.parse(time));
}
