// The bare server of the benchmark: node:https and node:http2 with prebuilt responses, as an upper bound.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../machine/free-port.ts';
import { ServerProcess } from './server-process.ts';
import { type Side, urlOf } from './side.ts';
import { waitReady } from './wait-ready.ts';

/** Its rates are the limit of the load generator and the watchers on this machine. */
export class BareServer implements Side {
  readonly key = 'bare';
  readonly title = 'bare Node';
  readonly token = 'none';
  readonly port: number;
  readonly http2Port: number;
  readonly #folder: string;
  readonly #listObjects: number;
  #process: ServerProcess | undefined;

  private constructor(folder: string, port: number, listObjects: number) {
    this.#folder = folder;
    this.port = port;
    this.http2Port = port + 1;
    this.#listObjects = listObjects;
  }

  static async prepare(folder: string, listObjects: number): Promise<BareServer> {
    await writeCertificate(folder);
    return new BareServer(folder, await freePorts(2), listObjects);
  }

  async startEmpty(): Promise<number> {
    return this.start();
  }

  async start(): Promise<number> {
    const startMs = performance.now();
    const program = join(import.meta.dirname, 'bare-server.ts');
    const args = [program, this.#folder, String(this.port), String(this.#listObjects)];
    const started = new ServerProcess(process.execPath, args, join(this.#folder, 'bare.log'));
    this.#process = started;
    await waitReady(`${urlOf(this)}/readyz`, this.token, () => started.assertRunning());
    return performance.now() - startMs;
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
    return [`node:https and node:http2 with prebuilt responses, Node ${process.version}`];
  }
}

async function writeCertificate(folder: string): Promise<void> {
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=127.0.0.1', '-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')],
  ]);
}
