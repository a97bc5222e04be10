// Audit: log backend that writes events to a rotating file.
import type { Clock } from '../base/clock.ts';
import type { AuditBackend } from './backend.ts';
import type { RotatingFile } from './rotating-file.ts';

export interface LogFileOptions {
  /**
   * `blocking`: writes synchronously, so that a slow disk delays requests. `batch`: writes asynchronously, and drops
   * events when the buffer is full.
   */
  readonly mode: 'blocking' | 'batch';
  /** How long events are buffered before they are written. */
  readonly maxWaitMs: number;
  /** Maximum number of buffered events in mode `batch`. */
  readonly bufferSize: number;
  readonly clock: Clock;
  onLost(events: number, error: unknown): void;
}

interface EventBatch {
  readonly bytes: Buffer;
  readonly lines: number;
}

/** Bytes that trigger a write before `maxWait`. */
const batchSize = 256 * 1024;
/** Maximum UTF-8 bytes of a UTF-16 code unit. */
const maxBytesPerChar = 3;

/** Batches events: a system call costs more than formatting a line. */
export class LogFile implements AuditBackend {
  readonly #file: RotatingFile;
  readonly #options: LogFileOptions;
  #buffer = Buffer.allocUnsafeSlow(batchSize);
  #size = 0;
  #lines = 0;
  #cancelTimer: (() => void) | undefined;
  /** Mode `batch`: the batch being written, and those after it. */
  readonly #waiting: EventBatch[] = [];
  #writing: Promise<void> | undefined;

  constructor(file: RotatingFile, options: LogFileOptions) {
    this.#file = file;
    this.#options = options;
  }

  write(lines: string, events: number): void {
    const { mode, bufferSize, onLost, clock, maxWaitMs } = this.#options;
    if (mode === 'batch' && this.#unwritten() >= bufferSize) {
      onLost(events, new Error('the audit log buffer is full'));
      return;
    }
    const maxBytes = lines.length * maxBytesPerChar;
    if (maxBytes > batchSize - this.#size) this.#flush();
    if (maxBytes > batchSize) {
      this.#put({ bytes: Buffer.from(lines), lines: events });
      return;
    }
    this.#size += this.#buffer.write(lines, this.#size);
    this.#lines += events;
    this.#cancelTimer ??= clock.after(maxWaitMs, () => this.#flush());
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
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#lines === 0) return;
    const batch = { bytes: this.#buffer.subarray(0, this.#size), lines: this.#lines };
    // The asynchronous write still reads the old buffer.
    if (this.#options.mode === 'batch') this.#buffer = Buffer.allocUnsafeSlow(batchSize);
    this.#size = 0;
    this.#lines = 0;
    this.#put(batch);
  }

  #put(batch: EventBatch): void {
    if (this.#options.mode === 'batch') {
      this.#waiting.push(batch);
      this.#writing ??= this.#writeBatches();
      return;
    }
    try {
      this.#file.append(batch.bytes);
    } catch (error) {
      this.#options.onLost(batch.lines, error);
    }
  }

  async #writeBatches(): Promise<void> {
    for (let batch = this.#waiting[0]; batch !== undefined; batch = this.#waiting[0]) {
      try {
        await this.#file.appendAsync(batch.bytes);
      } catch (error) {
        this.#options.onLost(batch.lines, error);
      }
      this.#waiting.shift();
    }
    this.#writing = undefined;
  }
}
