// Audit: log backend that writes to standard output (--audit-log-path=-).
import type { Writable } from 'node:stream';
import type { AuditBackend } from './backend.ts';

/** Maximum bytes buffered for a slow reader. */
const maxBufferedBytes = 16 * 1024 * 1024;

export class StandardOutput implements AuditBackend {
  readonly #stream: Writable;
  readonly #onLost: (eventCount: number, error: unknown) => void;

  constructor(stream: Writable, onLost: (eventCount: number, error: unknown) => void) {
    this.#stream = stream;
    this.#onLost = onLost;
  }

  write(lines: string, eventCount: number): void {
    try {
      this.writeNow(lines);
    } catch (error) {
      this.#onLost(eventCount, error);
    }
  }

  writeNow(line: string): void {
    if (this.#stream.writableLength > maxBufferedBytes) {
      throw new Error('standard output is closed, cannot write the audit log');
    }
    this.#stream.write(line);
  }

  /** Waits until all events before the empty write are flushed. The stream belongs to the process and stays open. */
  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.write('', () => resolve()));
  }
}
