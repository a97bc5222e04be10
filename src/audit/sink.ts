/** Where audit events go. A backend of another kind is one more of these. */
export interface AuditSink {
  /** Takes events, each as one line of text with its end. Whether they arrive is the sink's affair. */
  write(lines: string, events: number): void;
  /** Takes an event that must have arrived when this returns; throws when it has not. */
  writeNow(line: string): void;
  /** Lets go of what it holds, once everything taken so far has arrived or is given up. */
  close(): Promise<void>;
}
