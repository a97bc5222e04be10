// Audit: the options of the policy and the log backend. Durations are in milliseconds.

export interface AuditOptions {
  /** Audit policy and log file (`-` is standard output). Auditing needs both. */
  readonly auditPolicyFile: string | undefined;
  readonly auditLogPath: string | undefined;
  readonly auditLogFormat: 'json' | 'legacy';
  /**
   * Backpressure: `batch` drops events, `blocking` delays requests, `blocking-strict` also rejects what it cannot
   * log.
   */
  readonly auditLogMode: 'batch' | 'blocking' | 'blocking-strict';
  /** Events that mode `batch` buffers, and the longest time that events are buffered before they are written. */
  readonly auditLogBatchBufferSize: number;
  readonly auditLogBatchMaxWait: number;
  /** Rotation: size in megabytes, number of old files to keep, days to keep them; 0 keeps all. */
  readonly auditLogMaxsize: number;
  readonly auditLogMaxbackup: number;
  readonly auditLogMaxage: number;
  readonly auditLogCompress: boolean;
  /** Drops request and response objects from events that exceed this many bytes. */
  readonly auditLogTruncateEnabled: boolean;
  readonly auditLogTruncateMaxEventSize: number;
}

export const defaultAuditOptions: AuditOptions = {
  auditPolicyFile: undefined,
  auditLogPath: undefined,
  auditLogFormat: 'json',
  auditLogMode: 'blocking',
  auditLogBatchBufferSize: 10_000,
  auditLogBatchMaxWait: 5,
  auditLogMaxsize: 100,
  auditLogMaxbackup: 0,
  auditLogMaxage: 0,
  auditLogCompress: false,
  auditLogTruncateEnabled: false,
  auditLogTruncateMaxEventSize: 102_400,
};
