import type { Clock } from '../clock.ts';
import type { RotatingFile } from './rotating-file.ts';
import type { AuditSink } from './sink.ts';

export interface LogFileOptions {
  /**
   * `blocking`: lines are written in the order they come, on this thread: what cannot be written in time holds up the
   * server. `batch`: beside the server's work; what cannot be written in time is lost.
   */
  readonly mode: 'blocking' | 'batch';
  /** How long lines are gathered to be written at once, in milliseconds. */
  readonly maxWait: number;
  /** How many lines may wait in mode `batch`. */
  readonly bufferSize: number;
  readonly clock: Clock;
  /** Some events have not been written. */
  onLost(events: number, error: unknown): void;
}

/** So much is written at once, whatever the time. */
const writeSize = 256 * 1024;

/** Keeps events in a file. One write takes many: a system call costs more than putting a line together. */
export class LogFile implements AuditSink {
  readonly #file: RotatingFile;
  readonly #options: LogFileOptions;
  #lines = '';
  #count = 0;
  #callOff: (() => void) | undefined;
  #writing: Promise<void> | undefined;

  constructor(file: RotatingFile, options: LogFileOptions) {
    this.#file = file;
    this.#options = options;
  }

  write(line: string): void {
    const { mode, bufferSize, onLost } = this.#options;
    if (mode === 'batch' && this.#count >= bufferSize) {
      onLost(1, new Error('the audit log cannot be written as fast as events come'));
      return;
    }
    this.#lines += line;
    this.#count++;
    if (this.#lines.length >= writeSize) this.#flush();
    else this.#callOff ??= this.#options.clock.after(this.#options.maxWait, () => this.#flush());
  }

  writeNow(line: string): void {
    this.#writeGathered();
    this.#file.append(Buffer.from(line));
  }

  async close(): Promise<void> {
    await this.#writing;
    this.#writeGathered();
    await this.#file.close();
  }

  #flush(): void {
    if (this.#count === 0) return;
    if (this.#options.mode === 'blocking') this.#writeGathered();
    else this.#writing ??= this.#writeBeside();
  }

  #writeGathered(): void {
    const { lines, count } = this.#take();
    if (count === 0) return;
    try {
      this.#file.append(Buffer.from(lines));
    } catch (error) {
      this.#options.onLost(count, error);
    }
  }

  async #writeBeside(): Promise<void> {
    while (this.#count > 0) {
      const { lines, count } = this.#take();
      try {
        await this.#file.appendLater(Buffer.from(lines));
      } catch (error) {
        this.#options.onLost(count, error);
      }
    }
    this.#writing = undefined;
  }

  #take(): { lines: string; count: number } {
    const taken = { lines: this.#lines, count: this.#count };
    this.#callOff?.();
    this.#callOff = undefined;
    this.#lines = '';
    this.#count = 0;
    return taken;
  }
}
