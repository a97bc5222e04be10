import type { Clock } from '../base/clock.ts';
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

/** Lines that are written at once. */
interface Batch {
  readonly bytes: Buffer;
  readonly lines: number;
}

/** So much is written at once, whatever the time. */
const batchSize = 256 * 1024;
/** A character takes at most so many bytes. */
const widest = 3;

/** Keeps events in a file. One write takes many: a system call costs more than putting a line together. */
export class LogFile implements AuditSink {
  readonly #file: RotatingFile;
  readonly #options: LogFileOptions;
  #gathered = Buffer.allocUnsafeSlow(batchSize);
  #size = 0;
  #lines = 0;
  #callOff: (() => void) | undefined;
  /** Mode `batch`: what is being written, and what comes after it. */
  readonly #waiting: Batch[] = [];
  #writing: Promise<void> | undefined;

  constructor(file: RotatingFile, options: LogFileOptions) {
    this.#file = file;
    this.#options = options;
  }

  write(lines: string, events: number): void {
    const { mode, bufferSize, onLost, clock, maxWait } = this.#options;
    if (mode === 'batch' && this.#unwritten() >= bufferSize) {
      onLost(events, new Error('the audit log buffer is full'));
      return;
    }
    const most = lines.length * widest;
    if (most > batchSize - this.#size) this.#flush();
    if (most > batchSize) {
      this.#put({ bytes: Buffer.from(lines), lines: events });
      return;
    }
    this.#size += this.#gathered.write(lines, this.#size);
    this.#lines += events;
    this.#callOff ??= clock.after(maxWait, () => this.#flush());
  }

  writeNow(line: string): void {
    this.#flush();
    this.#file.append(Buffer.from(line));
  }

  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
    await this.#file.close();
  }

  #unwritten(): number {
    return this.#waiting.reduce((sum, { lines }) => sum + lines, this.#lines);
  }

  #flush(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    if (this.#lines === 0) return;
    const batch = { bytes: this.#gathered.subarray(0, this.#size), lines: this.#lines };
    // What is written beside the server's work is still being read.
    if (this.#options.mode === 'batch') this.#gathered = Buffer.allocUnsafeSlow(batchSize);
    this.#size = 0;
    this.#lines = 0;
    this.#put(batch);
  }

  #put(batch: Batch): void {
    if (this.#options.mode === 'batch') {
      this.#waiting.push(batch);
      this.#writing ??= this.#writeBeside();
      return;
    }
    try {
      this.#file.append(batch.bytes);
    } catch (error) {
      this.#options.onLost(batch.lines, error);
    }
  }

  async #writeBeside(): Promise<void> {
    for (let batch = this.#waiting[0]; batch !== undefined; batch = this.#waiting[0]) {
      try {
        await this.#file.appendLater(batch.bytes);
      } catch (error) {
        this.#options.onLost(batch.lines, error);
      }
      this.#waiting.shift();
    }
    this.#writing = undefined;
  }
}
