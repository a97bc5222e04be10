import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { TestClient } from '../api/support.ts';
import { freePort } from '../cli/free-port.ts';
import { type Ended, Program } from '../cli/program.ts';

/**
 * `orch dev` on one data directory and one pair of ports, started and ended as often as a test wants. Nothing of it
 * outlives the test.
 */
export class ServerProcess extends TestClient {
  readonly url: string;
  readonly secureUrl: string;
  /** What it keeps; the objects are in `store`. */
  readonly dataDir: string;
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  #program: Program | undefined;

  private constructor(dataDir: string, ports: readonly [number, number], flags: readonly string[]) {
    super();
    const [plain, secure] = ports;
    this.url = `http://127.0.0.1:${plain}`;
    this.secureUrl = `https://127.0.0.1:${secure}`;
    this.dataDir = dataDir;
    const places = ['--data-dir', dataDir, '--http-port', String(plain), '--secure-port', String(secure)];
    this.#args = ['src/main.ts', 'dev', ...places, ...flags];
    // Compiled once, it starts four times as fast from then on.
    this.#env = { ...process.env, NODE_COMPILE_CACHE: `${dataDir}.compiled` };
  }

  /** Prepares a server with its data in `dataDir`, which need not exist. It is not started yet. */
  static async on(t: TestContext, dataDir: string, ...flags: string[]): Promise<ServerProcess> {
    const server = new ServerProcess(dataDir, [await freePort(), await freePort()], flags);
    t.after(async () => {
      if (server.#program) await server.end('SIGKILL');
      await rm(`${dataDir}.compiled`, { recursive: true, force: true });
    });
    return server;
  }

  get storeDir(): string {
    return join(this.dataDir, 'store');
  }

  /** The process itself, while there is one. */
  get program(): Program {
    if (!this.#program) throw new Error('the server is not running');
    return this.#program;
  }

  /** Starts it; resolves once it serves. */
  async start(): Promise<void> {
    this.#program = new Program(process.execPath, this.#args, { env: this.#env });
    await this.#program.printed(/kubectl .*\n/);
  }

  /** Sends a signal and waits until the process is gone. */
  async end(signal: NodeJS.Signals): Promise<Ended> {
    const ended = await this.program.stop(signal);
    this.#program = undefined;
    return ended;
  }
}
