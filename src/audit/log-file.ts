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
  /** Maximum number of buffered events in mode `batch`; their bytes are limited too. */
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
/** Maximum bytes of events in mode `batch` that wait to be written. */
const maxUnwrittenBytes = 16 * 1024 * 1024;
/** Maximum UTF-8 bytes of a UTF-16 code unit: an upper bound of a text's size that needs no encoding. */
const maxBytesPerChar = 3;

/** Batches events: a system call costs more than formatting a line. */
export class LogFile implements AuditBackend {
  readonly #file: RotatingFile;
  readonly #options: LogFileOptions;
  readonly #buffer = Buffer.allocUnsafeSlow(batchBytes);
  #bufferedBytes = 0;
  #bufferedEvents = 0;
  #cancelTimer: (() => void) | undefined;
  /** Mode `batch`: the batch being written, and those after it. */
  readonly #pendingBatches: EventBatch[] = [];
  #pendingBytes = 0;
  #pendingEvents = 0;
  #writing: Promise<void> | undefined;

  constructor(file: RotatingFile, options: LogFileOptions) {
    this.#file = file;
    this.#options = options;
  }

  write(lines: string, eventCount: number): void {
    const { mode, bufferSize, onLost, clock, maxWaitMs } = this.#options;
    if (
      mode === 'batch' &&
      (this.#bufferedEvents + this.#pendingEvents >= bufferSize ||
        this.#bufferedBytes + this.#pendingBytes + lines.length > maxUnwrittenBytes)
    ) {
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

  #flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#bufferedEvents === 0) return;
    const buffered = this.#buffer.subarray(0, this.#bufferedBytes);
    // An asynchronous write reads its bytes later: it gets a copy, which is as long as the events are.
    const bytes = this.#options.mode === 'batch' ? Buffer.from(buffered) : buffered;
    const batch = { bytes, eventCount: this.#bufferedEvents };
    this.#bufferedBytes = 0;
    this.#bufferedEvents = 0;
    this.#appendBatch(batch);
  }

  #appendBatch(batch: EventBatch): void {
    if (this.#options.mode === 'batch') {
      this.#pendingBatches.push(batch);
      this.#pendingBytes += batch.bytes.length;
      this.#pendingEvents += batch.eventCount;
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
      this.#pendingBytes -= batch.bytes.length;
      this.#pendingEvents -= batch.eventCount;
    }
    this.#writing = undefined;
  }
}
