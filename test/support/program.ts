import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProgramResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program under test, with its output. */
export class Program {
  readonly child: ChildProcess;
  readonly #ended: Promise<[number | null, string | null]>;
  #stdout = '';
  #stderr = '';
  #onMore = () => {};

  constructor(
    command: string,
    args: readonly string[],
    options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
  ) {
    // Its own process group: a signal reaches all processes of it, as Ctrl-C in a terminal does.
    this.child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = once(this.child, 'close') as Promise<[number | null, string | null]>;
    this.child.stdout?.setEncoding('utf8').on('data', (text) => {
      this.#stdout += text;
      this.#onMore();
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#stderr += text;
    });
    this.child.once('close', () => this.#onMore());
  }

  /** Resolves once the pattern was printed; rejects if the program ends before. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#stdout);
      if (match) return match;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`ended before it printed ${pattern}:\n${this.#stdout}${this.#stderr}`);
      }
      await new Promise<void>((resolve) => {
        this.#onMore = resolve;
      });
    }
  }

  async ended(): Promise<ProgramResult> {
    const [code, signal] = await this.#ended;
    return { code, signal, stdout: this.#stdout, stderr: this.#stderr };
  }

  /** Sends a signal to the process group, and waits for its end. */
  stop(signal: NodeJS.Signals = 'SIGINT'): Promise<ProgramResult> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
    return this.ended();
  }
}

/** The program of this checkout, run by the Node that runs the tests. */
export const orch = (...args: string[]) => new Program(process.execPath, ['src/main.ts', ...args]);
