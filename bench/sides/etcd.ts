import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, commandLine, versionOf } from './command.ts';
import { ServerProcess } from './server-process.ts';
import { waitReady } from './wait-ready.ts';

/** An etcd with its data in the folder `etcd` of a side. */
export class Etcd {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #command: Command;
  #process: ServerProcess | undefined;

  /** `port` is where clients find it, the next is for members. */
  constructor(folder: string, port: number, command: Command) {
    this.#folder = folder;
    this.#port = port;
    this.#command = command;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** One that is started alike, but in another folder and on other ports. */
  movedTo(folder: string, port: number): Etcd {
    const { program, args } = this.#command;
    const move = (word: string) =>
      word
        .replaceAll(`${this.#folder}/`, `${folder}/`)
        .replace(/(?<=127\.0\.0\.1:)\d+/g, (digits) => String(Number(digits) - this.#port + port));
    return new Etcd(folder, port, { program, args: args.map(move) });
  }

  clear(): void {
    rmSync(join(this.#folder, 'etcd'), { recursive: true, force: true });
  }

  async start(): Promise<void> {
    const { program, args } = this.#command;
    const started = new ServerProcess(program, args, join(this.#folder, 'etcd.log'));
    this.#process = started;
    await waitReady(`${this.url}/health`, undefined, () => started.mustRun());
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
