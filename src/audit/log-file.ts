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
  onLost(eventCount: number, error: unknown): void;
}

interface EventBatch {
  readonly bytes: Buffer;
  readonly eventCount: number;
}

/** Size of the buffer. When it is full, it is written before `maxWaitMs` has passed. */
const batchBytes = 256 * 1024;
/** Maximum UTF-8 bytes of a UTF-16 code unit: an upper bound of a text's size that needs no encoding. */
const maxBytesPerChar = 3;

/** Batches events: a system call costs more than formatting a line. */
export class LogFile implements AuditBackend {
  readonly #file: RotatingFile;
  readonly #options: LogFileOptions;
  #buffer = Buffer.allocUnsafeSlow(batchBytes);
  #bufferedBytes = 0;
  #bufferedEvents = 0;
  #cancelTimer: (() => void) | undefined;
  /** Mode `batch`: the batch being written, and those after it. */
  readonly #pendingBatches: EventBatch[] = [];
  #writing: Promise<void> | undefined;

  constructor(file: RotatingFile, options: LogFileOptions) {
    this.#file = file;
    this.#options = options;
  }

  write(lines: string, eventCount: number): void {
    const { mode, bufferSize, onLost, clock, maxWaitMs } = this.#options;
    if (mode === 'batch' && this.#countUnwrittenEvents() >= bufferSize) {
      onLost(eventCount, new Error('the audit log buffer is full'));
      return;
    }
    const maxBytes = lines.length * maxBytesPerChar;
    if (maxBytes > batchBytes - this.#bufferedBytes) this.#flush();
    if (maxBytes > batchBytes) {
      this.#appendBatch({ bytes: Buffer.from(lines), eventCount });
      return;
    }
    this.#bufferedBytes += this.#buffer.write(lines, this.#bufferedBytes);
    this.#bufferedEvents += eventCount;
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

  /** Buffered events and those of batches that are being written. */
  #countUnwrittenEvents(): number {
    return this.#pendingBatches.reduce((sum, { eventCount }) => sum + eventCount, this.#bufferedEvents);
  }

  #flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#bufferedEvents === 0) return;
    const batch = {
      bytes: this.#buffer.subarray(0, this.#bufferedBytes),
      eventCount: this.#bufferedEvents,
    };
    // The asynchronous write still reads the old buffer.
    if (this.#options.mode === 'batch') this.#buffer = Buffer.allocUnsafeSlow(batchBytes);
    this.#bufferedBytes = 0;
    this.#bufferedEvents = 0;
    this.#appendBatch(batch);
  }

  #appendBatch(batch: EventBatch): void {
    if (this.#options.mode === 'batch') {
      this.#pendingBatches.push(batch);
      this.#writing ??= this.#writeBatches();
      return;
    }
    try {
      this.#file.append(batch.bytes);
    } catch (error) {
      this.#options.onLost(batch.eventCount, error);
    }
  }

  async #writeBatches(): Promise<void> {
    for (let batch = this.#pendingBatches[0]; batch !== undefined; batch = this.#pendingBatches[0]) {
      try {
        await this.#file.appendAsync(batch.bytes);
      } catch (error) {
        this.#options.onLost(batch.eventCount, error);
      }
      this.#pendingBatches.shift();
    }
    this.#writing = undefined;
  }
}
