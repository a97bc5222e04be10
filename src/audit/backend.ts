// Audit: the interface of a backend that writes events, implemented by the log file and standard output.

export interface AuditBackend {
  /** Writes `events` events, one line each with its newline. The backend handles failures itself. */
  write(lines: string, events: number): void;
  /** Writes an event before it returns; throws on failure. */
  writeNow(line: string): void;
  /** Flushes and releases all resources. */
  close(): Promise<void>;
}
