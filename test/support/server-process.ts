import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'yaml';
import { TestClient } from './client.ts';
import { freePort } from './free-port.ts';
import { Program, type ProgramResult } from './program.ts';

const mostAttempts = 5;
const betweenAttempts = 1_000;

/** The secure port and the credentials, PEM. */
export interface AdminCredentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Registers cleanups: a test, or another program that starts servers. */
export interface Scope {
  after(cleanUp: () => Promise<void>): void;
}

export interface ServerProcessOptions {
  /** The checkout whose program is run: this one, or a copy. */
  readonly root?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** `orch dev` in its own process, on one pair of ports, started and stopped as often as a test needs. */
export class ServerProcess extends TestClient {
  readonly url: string;
  readonly secureUrl: string;
  /** Its data directory: a temporary folder, unless the test sets another before the start. */
  dataDir: string;
  readonly #ports: readonly string[];
  readonly #options: ServerProcessOptions;
  readonly #env: NodeJS.ProcessEnv;
  #program: Program | undefined;
  /** Processes that were told to end. */
  #ending: Program | undefined;
  /** Receives its standard error. */
  onLog: (text: string) => void = () => {};
  /** Called when it ends without having been told to. */
  onDeath: (ended: ProgramResult) => void = () => {};

  private constructor(folder: string, plain: number, secure: number, options: ServerProcessOptions) {
    super();
    this.#options = options;
    this.url = `http://127.0.0.1:${plain}`;
    this.secureUrl = `https://127.0.0.1:${secure}`;
    this.dataDir = join(folder, 'data');
    this.#ports = ['--http-port', String(plain), '--secure-port', String(secure)];
    this.#env = { ...process.env, ...options.env };
  }

  /**
   * Prepares a server that does not outlive the test. Hooks run in the order of their registration: other cleanups of the
   * test must be registered after this.
   */
  static async prepare(scope: Scope, options: ServerProcessOptions = {}): Promise<ServerProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'orch-server-'));
    const server = new ServerProcess(folder, await freePort(), await freePort(), options);
    scope.after(async () => {
      if (server.#program) await server.end('SIGKILL');
      await rm(folder, { recursive: true });
    });
    return server;
  }

  /** The folder of the LMDB store. */
  get storeDir(): string {
    return join(this.dataDir, 'store');
  }

  /** Starts it; resolves once it serves. The chosen port may be in use for a moment. */
  async start(...flags: string[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#startOnce(flags);
        return;
      } catch (error) {
        if (attempt === mostAttempts || !/is already in use/.test(String(error))) throw error;
        await setTimeout(betweenAttempts);
      }
    }
  }

  async #startOnce(flags: readonly string[]): Promise<void> {
    // Objects that controllers create in every namespace would be in the results of the test.
    const controllers = ['--controllers', '*,-root-ca-certificate-publisher-controller'];
    const own = ['--data-dir', this.dataDir, ...this.#ports, ...controllers];
    const args = ['src/main.ts', 'dev', ...own, ...flags];
    const { root: cwd } = this.#options;
    const program = new Program(process.execPath, args, {
      env: this.#env,
      ...(cwd !== undefined && { cwd }),
    });
    this.#program = program;
    program.child.stderr?.on('data', (text: string) => this.onLog(text));
    await program.printed(/kubectl .*\n/);
    void program.ended().then((ended) => {
      if (this.#ending !== program) this.onDeath(ended);
    });
  }

  /** Sends a signal, and resolves once the process has ended. */
  async end(signal: NodeJS.Signals): Promise<ProgramResult> {
    const program = this.#program;
    if (!program) throw new Error('the server is not running');
    this.#ending = program;
    const ended = await program.stop(signal);
    this.#program = undefined;
    return ended;
  }

  /** Pauses the process (SIGSTOP) until `resume`. */
  pause(): void {
    this.#program?.child.kill('SIGSTOP');
  }

  resume(): void {
    this.#program?.child.kill('SIGCONT');
  }

  get pid(): number | undefined {
    return this.#program?.child.pid;
  }

  /** The admin credentials of the kubeconfig. */
  administrator(): AdminCredentials {
    const config = parse(readFileSync(join(this.dataDir, 'kubeconfig'), 'utf8'));
    const decode = (text: string) => Buffer.from(text, 'base64').toString();
    const { user } = config.users[0];
    return {
      ca: decode(config.clusters[0].cluster['certificate-authority-data']),
      cert: decode(user['client-certificate-data']),
      key: decode(user['client-key-data']),
    };
  }

  /** Sends another signal to a process that is ending. */
  again(signal: NodeJS.Signals): void {
    void this.#program?.stop(signal);
  }
}
