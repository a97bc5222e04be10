import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../machine/free-port.ts';
import type { Etcd } from './etcd.ts';
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
  /** What it keeps its objects in, and is counted as part of it; without one that is LMDB. */
  readonly etcd?: Etcd;
}

/** The built server in its production form, on a durable store. */
export class Orch implements Side {
  readonly key = 'orch';
  readonly title: string;
  readonly token = 'admin-token';
  readonly port: number;
  readonly openPort?: number;
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
    this.#etcd?.clear();
    return this.start();
  }

  async start(): Promise<number> {
    const from = performance.now();
    await this.#etcd?.start();
    const started = new ServerProcess(process.execPath, this.#args(), join(this.#folder, 'orch.log'));
    this.#process = started;
    await waitReady(`${urlOf(this)}/readyz`, this.token, () => started.mustRun());
    return performance.now() - from;
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
    const words = ['node', ...this.#args()].map((word) => word.replace(/^\/\S*\/(?=[^/]+$)/, ''));
    const about = `Orch ${version}, Node ${process.version}`;
    if (!this.#etcd) return [about, words.join(' ')];
    return [`${about}, ${await this.#etcd.version()}`, this.#etcd.commandLine, words.join(' ')];
  }

  #args(): string[] {
    return [
      join(this.#repository, 'dist/main.js'),
      ...(this.openPort === undefined ? ['serve'] : ['dev', '--http-port', String(this.openPort)]),
      ...['--dialect', 'kubernetes'],
      ...(this.#etcd ? ['--storage', 'etcd', '--etcd-servers', this.#etcd.url] : ['--storage', 'lmdb']),
      ...['--data-dir', join(this.#folder, 'data'), '--cert-dir', join(this.#folder, 'certificates')],
      ...['--bind-address', '127.0.0.1', '--secure-port', String(this.port)],
      ...['--token-auth-file', join(this.#folder, 'tokens.csv')],
      ...this.#flags,
    ];
  }
}
