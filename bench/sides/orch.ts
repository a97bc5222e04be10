// Starts and stops the built Orch server for the benchmark.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../machine/free-port.ts';
import type { Etcd } from './etcd.ts';
import { ServerProcess } from './server-process.ts';
import { type Side, urlOf } from './side.ts';
import { waitReady } from './wait-ready.ts';

export interface OrchSettings {
  /** Flags other than those for files and ports. */
  readonly flags?: readonly string[];
  /** Additional lines of the token file. */
  readonly tokens?: string;
  /** Whether it also listens on plain HTTP. */
  readonly hasPlainHttp?: boolean;
  /** The storage backend, measured as part of the server. Default: LMDB. */
  readonly etcd?: Etcd;
}

/** The built server, as `orch serve`, on a durable store. */
export class Orch implements Side {
  readonly key = 'orch';
  readonly title: string;
  readonly token = 'admin-token';
  readonly port: number;
  readonly httpPort?: number;
  readonly #flags: readonly string[];
  readonly #repository: string;
  readonly #folder: string;
  readonly #etcd: Etcd | undefined;
  #process: ServerProcess | undefined;

  private constructor(repository: string, folder: string, port: number, settings: OrchSettings) {
    this.#repository = repository;
    this.#folder = folder;
    this.#flags = settings.flags ?? [];
    this.#etcd = settings.etcd;
    this.title = settings.etcd ? 'Orch + etcd' : 'Orch';
    this.port = port;
    if (settings.hasPlainHttp) this.httpPort = port + 1;
  }

  static async prepare(repository: string, folder: string, settings: OrchSettings = {}): Promise<Orch> {
    const admin = 'admin-token,admin,admin-uid,system:masters\n';
    writeFileSync(join(folder, 'tokens.csv'), `${admin}${settings.tokens ?? ''}`);
    const orch = new Orch(repository, folder, await freePorts(2), settings);
    // The first start creates the certificates, which is not measured.
    try {
      await orch.start();
    } finally {
      await orch.stop();
    }
    return orch;
  }

  async startEmpty(): Promise<number> {
    rmSync(join(this.#folder, 'data'), { recursive: true, force: true });
    this.#etcd?.clear();
    return this.start();
  }

  async start(): Promise<number> {
    const startMs = performance.now();
    await this.#etcd?.start();
    const started = new ServerProcess(process.execPath, this.#args(), join(this.#folder, 'orch.log'));
    this.#process = started;
    await waitReady(`${urlOf(this)}/readyz`, this.token, () => started.assertRunning());
    return performance.now() - startMs;
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
    await this.#etcd?.stop();
  }

  pids(): number[] {
    return this.#process ? [this.#process.pid, ...this.etcdPids()] : [];
  }

  etcdPids(): number[] {
    return this.#etcd?.pids() ?? [];
  }

  async describe(): Promise<string[]> {
    const { version } = JSON.parse(readFileSync(join(this.#repository, 'package.json'), 'utf8')) as {
      version: string;
    };
    const commandWords = ['node', ...this.#args()].map((word) => word.replace(/^\/\S*\/(?=[^/]+$)/, ''));
    const versions = `Orch ${version}, Node ${process.version}`;
    if (!this.#etcd) return [versions, commandWords.join(' ')];
    return [`${versions}, ${await this.#etcd.version()}`, this.#etcd.commandLine, commandWords.join(' ')];
  }

  #args(): string[] {
    return [
      join(this.#repository, 'dist/main.js'),
      ...(this.httpPort === undefined ? ['serve'] : ['dev', '--http-port', String(this.httpPort)]),
      ...['--dialect', 'kubernetes'],
      ...(this.#etcd ? ['--storage', 'etcd', '--etcd-servers', this.#etcd.url] : ['--storage', 'lmdb']),
      ...['--data-dir', join(this.#folder, 'data'), '--cert-dir', join(this.#folder, 'certificates')],
      ...['--bind-address', '127.0.0.1', '--secure-port', String(this.port)],
      ...['--token-auth-file', join(this.#folder, 'tokens.csv')],
      ...this.#flags,
    ];
  }
}
