// A server in a child process, with its output in a log file.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const stopTimeoutSeconds = 30;

export class ServerProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #logFile: string;
  #running = true;

  constructor(program: string, args: readonly string[], logFile: string) {
    this.#logFile = logFile;
    const log = openSync(logFile, 'a');
    // Detached: in its own process group it does not receive Ctrl-C, so that this process stops it.
    this.#child = spawn(program, args, { stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    // No server keeps running after this process, whatever ends it.
    const killOnExit = (): boolean => this.#child.kill('SIGKILL');
    process.once('exit', killOnExit);
    this.#exited = new Promise((resolve) => {
      const onExit = (): void => {
        this.#running = false;
        process.removeListener('exit', killOnExit);
        resolve();
      };
      this.#child.once('exit', onExit);
      this.#child.once('error', onExit);
    });
    if (this.#child.pid === undefined) throw new Error(`${program} cannot be started`);
    this.pid = this.#child.pid;
  }

  /** Throws if the process has exited, with the end of its log. */
  assertRunning(): void {
    if (this.#running) return;
    const lines = readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-15);
    throw new Error(`${this.#child.spawnfile} exited; the end of its log:\n${lines.join('\n')}`);
  }

  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#child.kill('SIGTERM');
    const stopTimer = new AbortController();
    const killed = sleep(stopTimeoutSeconds * 1000, undefined, { signal: stopTimer.signal }).then(
      () => this.#child.kill('SIGKILL'),
      () => undefined,
    );
    await this.#exited;
    stopTimer.abort();
    await killed;
  }
}
