import type { Writable } from 'node:stream';
import type { AuditSink } from './sink.ts';

/** So much may wait for who reads the output. */
const mostWaiting = 16 * 1024 * 1024;

/** Sends events to a stream that is the process' own, for whoever started it to read. */
export class StandardOutput implements AuditSink {
  readonly #stream: Writable;
  readonly #onLost: (events: number, error: unknown) => void;

  constructor(stream: Writable, onLost: (events: number, error: unknown) => void) {
    this.#stream = stream;
    this.#onLost = onLost;
  }

  write(lines: string, events: number): void {
    try {
      this.writeNow(lines);
    } catch (error) {
      this.#onLost(events, error);
    }
  }

  writeNow(line: string): void {
    if (this.#stream.writableLength > mostWaiting) {
      throw new Error('standard output is closed, cannot write the audit log');
    }
    this.#stream.write(line);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.write('', () => resolve()));
  }
}
