// Audit: the interface of a backend that writes events, implemented by the log file and standard output.

export interface AuditBackend {
  /** Writes events, one line each with its newline. May buffer them. The backend reports failures itself. */
  write(lines: string, eventCount: number): void;
  /** Mode blocking-strict: writes an event before it returns; throws on failure. */
  writeNow(line: string): void;
  /** Flushes and releases all resources. */
  close(): Promise<void>;
}
