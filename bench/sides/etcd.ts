// Starts and stops an etcd for the benchmark.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, commandLine, versionOf } from './command.ts';
import { ServerProcess } from './server-process.ts';
import { waitReady } from './wait-ready.ts';

/** Its data is in the directory `etcd` of the folder. */
export class Etcd {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #command: Command;
  #process: ServerProcess | undefined;

  /** `port` is the client port, the next one the peer port. */
  constructor(folder: string, port: number, command: Command) {
    this.#folder = folder;
    this.#port = port;
    this.#command = command;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** An etcd with the same flags, in another folder and on other ports. */
  copyTo(folder: string, port: number): Etcd {
    const { program, args } = this.#command;
    const relocate = (word: string) =>
      word
        .replaceAll(`${this.#folder}/`, `${folder}/`)
        .replace(/(?<=127\.0\.0\.1:)\d+/g, (digits) => String(Number(digits) - this.#port + port));
    return new Etcd(folder, port, { program, args: args.map(relocate) });
  }

  clear(): void {
    rmSync(join(this.#folder, 'etcd'), { recursive: true, force: true });
  }

  async start(): Promise<void> {
    const { program, args } = this.#command;
    const started = new ServerProcess(program, args, join(this.#folder, 'etcd.log'));
    this.#process = started;
    await waitReady(`${this.url}/health`, undefined, () => started.assertRunning());
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }

  pids(): number[] {
    return this.#process ? [this.#process.pid] : [];
  }

  version(): Promise<string> {
    return versionOf(this.#command);
  }

  get commandLine(): string {
    return commandLine(this.#command);
  }
}
