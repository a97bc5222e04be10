import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../machine/free-port.ts';
import { ServerProcess } from './server-process.ts';
import { type Side, urlOf } from './side.ts';
import { waitReady } from './wait-ready.ts';

/**
 * A server that does nothing but answer: what the load generator and the watchers reach on it is what
 * they could take from any server that shares this machine with them.
 */
export class Bare implements Side {
  readonly key = 'bare';
  readonly title = 'bare node:https';
  readonly token = 'none';
  readonly port: number;
  readonly #folder: string;
  readonly #listObjects: number;
  #process: ServerProcess | undefined;

  private constructor(folder: string, port: number, listObjects: number) {
    this.#folder = folder;
    this.port = port;
    this.#listObjects = listObjects;
  }

  static async prepare(folder: string, listObjects: number): Promise<Bare> {
    await writeCertificate(folder);
    return new Bare(folder, await freePorts(), listObjects);
  }

  async startEmpty(): Promise<number> {
    return this.start();
  }

  async start(): Promise<number> {
    const from = performance.now();
    const program = join(import.meta.dirname, 'bare-server.ts');
    const args = [program, this.#folder, String(this.port), String(this.#listObjects)];
    const started = new ServerProcess(process.execPath, args, join(this.#folder, 'bare.log'));
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

  etcdPids(): number[] {
    return [];
  }

  async describe(): Promise<string[]> {
    return [`node:https with ready-made answers, Node ${process.version}`];
  }
}

async function writeCertificate(folder: string): Promise<void> {
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=127.0.0.1', '-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')],
  ]);
}
