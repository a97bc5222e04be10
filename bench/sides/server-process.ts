import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceSeconds = 30;

/** A server started as a process of its own, its output in a log file. */
export class ServerProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #logFile: string;
  #running = true;

  constructor(program: string, args: readonly string[], logFile: string) {
    this.#logFile = logFile;
    const log = openSync(logFile, 'a');
    // Detached: a process group of its own, so that Ctrl-C in a terminal leaves the stopping to us.
    this.#child = spawn(program, args, { stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    // The last resort: whatever ends this process, no server is left behind.
    const endWithUs = (): boolean => this.#child.kill('SIGKILL');
    process.once('exit', endWithUs);
    this.#exited = new Promise((resolve) => {
      const gone = (): void => {
        this.#running = false;
        process.removeListener('exit', endWithUs);
        resolve();
      };
      this.#child.once('exit', gone);
      this.#child.once('error', gone);
    });
    if (this.#child.pid === undefined) throw new Error(`${program} cannot be started`);
    this.pid = this.#child.pid;
  }

  /** Throws when the process has ended, with the end of its log. */
  mustRun(): void {
    if (this.#running) return;
    const lines = readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-15);
    throw new Error(`${this.#child.spawnfile} has ended; the end of its log:\n${lines.join('\n')}`);
  }

  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#child.kill('SIGTERM');
    const patience = new AbortController();
    const late = sleep(patienceSeconds * 1000, undefined, { signal: patience.signal }).then(
      () => this.#child.kill('SIGKILL'),
      () => undefined,
    );
    await this.#exited;
    patience.abort();
    await late;
  }
}
