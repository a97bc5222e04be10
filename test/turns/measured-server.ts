// A server with the default configuration of `orch dev`, and the longest turn of its event loop during a request and after it.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { devDefaults } from '../../src/cli/server-options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import type { ClientMessage } from './client-thread.ts';
import type { SentRequest } from './requests.ts';

const token = 'turns-token';

export interface MeasuredAnswer {
  readonly code: number;
  /** Bytes of the request and of the response. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly text: string;
  readonly elapsedMs: number;
  /** The longest turn until the response was complete, and in the background afterwards; milliseconds of CPU time. */
  readonly turn: number;
  readonly laterTurn: number;
}

export interface Settling {
  /** Measures at least this long after the response. Milliseconds. */
  readonly minMs: number;
  readonly maxMs: number;
}

const spentMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** A turn with less work than this is idle. Milliseconds. */
const idleMs = 2;

export class MeasuredServer {
  readonly #running: RunningServer;
  readonly #dir: string;
  readonly #client: Worker;

  private constructor(running: RunningServer, dir: string) {
    this.#running = running;
    this.#dir = dir;
    this.#client = new Worker(new URL('./client-thread.ts', import.meta.url), {
      workerData: { port: Number(new URL(running.secureUrl!).port), ca: running.caCertificate, token },
    });
  }

  static async start(): Promise<MeasuredServer> {
    const dir = await mkdtemp(join(tmpdir(), 'orch-turns-'));
    const tokenAuthFile = join(dir, 'tokens.csv');
    await writeFile(tokenAuthFile, `${token},admin,1,system:masters\n`);
    const running = await runServer(
      {
        ...devDefaults,
        dataDir: dir,
        certDir: join(dir, 'pki'),
        httpPort: 0,
        securePort: 0,
        tokenAuthFile,
        verbosity: 0,
      },
      { logger: createLogger({ verbosity: 0, destination: { write: () => {} } }) },
    );
    return new MeasuredServer(running, dir);
  }

  /** Returns undefined if the body cannot be encoded in its format. */
  async ask(sent: SentRequest, settling: Settling): Promise<MeasuredAnswer | undefined> {
    this.#post({ prepare: sent });
    const [{ prepared }] = (await once(this.#client, 'message')) as [{ prepared: number }];
    if (prepared < 0) return undefined;
    let answer: { code: number; bytes: number; text: string } | undefined;
    this.#client.once('message', (received) => {
      answer = received;
    });
    this.#post({ send: true });
    const sentAtMs = performance.now();
    const turn = await longestTurn(() => answer !== undefined);
    const answeredAtMs = performance.now();
    const laterTurn = await longestTurn((latest) => {
      const elapsedMs = performance.now() - answeredAtMs;
      return (elapsedMs >= settling.minMs && latest < idleMs) || elapsedMs >= settling.maxMs;
    });
    const { code, bytes, text } = answer!;
    const elapsedMs = answeredAtMs - sentAtMs;
    return { code, sentBytes: prepared, receivedBytes: bytes, text, elapsedMs, turn, laterTurn };
  }

  #post(message: ClientMessage): void {
    this.#client.postMessage(message);
  }

  async stop(): Promise<void> {
    await this.#client.terminate();
    await this.#running.stop();
    await rm(this.#dir, { recursive: true, force: true });
  }
}

/** Measures until `isOver`, which gets the length of the latest turn. Allocates nothing, so that no garbage is collected. */
function longestTurn(isOver: (latest: number) => boolean): Promise<number> {
  return new Promise((resolve) => {
    let longest = 0;
    let before = spentMs();
    // A timer leaves the processor to the other threads between turns.
    const timer = setInterval(() => {
      const now = spentMs();
      const latest = now - before;
      longest = Math.max(longest, latest);
      before = now;
      if (!isOver(latest)) return;
      clearInterval(timer);
      resolve(longest);
    }, 1);
  });
}
