// Audit: the backend of a serving thread that follows the main thread, which writes the log.
import type { AuditBackend } from '../../audit/backend.ts';
import { auditResults, type FollowerMessage } from './messages.ts';

/** How long a request waits for its event to be written in mode blocking-strict. */
const maxWaitMs = 5_000;

export class ForwardedAudit implements AuditBackend {
  readonly #post: (message: FollowerMessage) => void;

  constructor(post: (message: FollowerMessage) => void) {
    this.#post = post;
  }

  write(lines: string, eventCount: number): void {
    this.#post({ type: 'audit', lines, eventCount });
  }

  writeNow(line: string): void {
    const result = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const cell = new Int32Array(result);
    this.#post({ type: 'auditNow', line, result });
    // The main thread never waits for a follower, so this cannot deadlock.
    Atomics.wait(cell, 0, auditResults.pending, maxWaitMs);
    if (Atomics.load(cell, 0) !== auditResults.written) throw new Error('the audit log could not be written');
  }

  async close(): Promise<void> {}
}

/** Writes an event of a follower that waits for it. */
export function writeNow(backend: AuditBackend, line: string, result: SharedArrayBuffer): void {
  const cell = new Int32Array(result);
  try {
    backend.writeNow(line);
    Atomics.store(cell, 0, auditResults.written);
  } catch {
    Atomics.store(cell, 0, auditResults.failed);
  }
  Atomics.notify(cell, 0);
}
