import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../machine/free-port.ts';
import { ServerProcess } from './server-process.ts';
import { type Side, urlOf } from './side.ts';
import { waitReady } from './wait-ready.ts';

export interface OrchSettings {
  /** What it is told beyond where its files and ports are. */
  readonly flags?: readonly string[];
  /** Lines of other callers for the file of tokens. */
  readonly tokens?: string;
  /** It has a port for plain HTTP beside the other. */
  readonly isOpen?: boolean;
}

/** The built server in its production form, on its durable store. */
export class Orch implements Side {
  readonly key = 'orch';
  readonly title = 'Orch';
  readonly token = 'admin-token';
  readonly port: number;
  readonly openPort?: number;
  readonly #flags: readonly string[];
  readonly #repository: string;
  readonly #folder: string;
  #process: ServerProcess | undefined;

  private constructor(repository: string, folder: string, port: number, settings: OrchSettings) {
    this.#repository = repository;
    this.#folder = folder;
    this.#flags = settings.flags ?? [];
    this.port = port;
    if (settings.isOpen) this.openPort = port + 1;
  }

  static async prepare(repository: string, folder: string, settings: OrchSettings = {}): Promise<Orch> {
    const admin = 'admin-token,admin,admin-uid,system:masters\n';
    writeFileSync(join(folder, 'tokens.csv'), `${admin}${settings.tokens ?? ''}`);
    const orch = new Orch(repository, folder, await freePorts(2), settings);
    // The first start makes the keys, as preparing the reference does.
    try {
      await orch.start();
    } finally {
      await orch.stop();
    }
    return orch;
  }

  async startEmpty(): Promise<number> {
    rmSync(join(this.#folder, 'data'), { recursive: true, force: true });
    return this.start();
  }

  async start(): Promise<number> {
    const from = performance.now();
    const started = new ServerProcess(process.execPath, this.#args(), join(this.#folder, 'orch.log'));
    this.#process = started;
    await waitReady(`${urlOf(this)}/readyz`, this.token, () => started.mustRun());
    return performance.now() - from;
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }

  pids(): number[] {
    return this.#process ? [this.#process.pid] : [];
  }

  async describe(): Promise<string[]> {
    const { version } = JSON.parse(readFileSync(join(this.#repository, 'package.json'), 'utf8')) as {
      version: string;
    };
    const words = ['node', ...this.#args()].map((word) => word.replace(/^\/\S*\/(?=[^/]+$)/, ''));
    return [`Orch ${version}, Node ${process.version}`, words.join(' ')];
  }

  #args(): string[] {
    return [
      join(this.#repository, 'dist/main.js'),
      ...(this.openPort === undefined ? ['serve'] : ['dev', '--http-port', String(this.openPort)]),
      ...['--dialect', 'kubernetes', '--storage', 'lmdb'],
      ...['--data-dir', join(this.#folder, 'data'), '--cert-dir', join(this.#folder, 'certificates')],
      ...['--bind-address', '127.0.0.1', '--secure-port', String(this.port)],
      ...['--token-auth-file', join(this.#folder, 'tokens.csv')],
      ...this.#flags,
    ];
  }
}
