// Audit: creates the auditor with its policy rules, event format and log backend.

import type { Clock } from '../base/clock.ts';
import type { Dialect } from '../dialect/index.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { Auditor } from './auditor.ts';
import type { AuditBackend } from './backend.ts';
import { Callers } from './caller.ts';
import { JsonEvents } from './json-event.ts';
import { LegacyEvents } from './legacy-event.ts';
import { LogFile } from './log-file.ts';
import { LostEvents } from './lost-events.ts';
import { MicroTimeFormatter } from './micro-time.ts';
import type { AuditOptions } from './options.ts';
import { type AuditPolicy, PolicyRuleEvaluator } from './policy.ts';
import { RotatingFile, type RotationOptions } from './rotating-file.ts';
import { StandardOutput } from './standard-output.ts';

export interface AuditParts {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Writes the events instead of the backend that the options configure. */
  readonly backend?: AuditBackend | undefined;
}

type Options = AuditOptions & { readonly auditLogPath: string };

const megabyte = 1024 * 1024;
/** The rotation size if --audit-log-maxsize is 0. */
const defaultMaxMegabytes = 100;

/** Throws when the log file cannot be opened. */
export function makeAuditor(options: Options, policy: AuditPolicy, parts: AuditParts): Auditor {
  const { dialect, clock, metrics, logger } = parts;
  const lostEvents = new LostEvents(metrics, logger);
  const callers = new Callers();
  const timestamps = new MicroTimeFormatter();
  return new Auditor({
    policy: new PolicyRuleEvaluator(policy),
    callers,
    format:
      options.auditLogFormat === 'json'
        ? new JsonEvents(dialect, callers, timestamps)
        : new LegacyEvents(timestamps),
    backend: parts.backend ?? openBackend(options, parts, lostEvents),
    strict: options.auditLogMode === 'blocking-strict',
    clock,
    metrics,
    maxEventBytes: options.auditLogTruncateEnabled
      ? options.auditLogTruncateMaxEventSize
      : Number.POSITIVE_INFINITY,
    onLost: (eventCount, error) => lostEvents.add(eventCount, error),
  });
}

function openBackend(options: Options, { clock }: AuditParts, lostEvents: LostEvents): AuditBackend {
  const onLost = (eventCount: number, error: unknown) => lostEvents.add(eventCount, error);
  if (options.auditLogPath === '-') return new StandardOutput(process.stdout, onLost);
  const file = openFile({
    path: options.auditLogPath,
    maxBytes: (options.auditLogMaxsize || defaultMaxMegabytes) * megabyte,
    maxBackups: options.auditLogMaxbackup,
    maxAgeDays: options.auditLogMaxage,
    compress: options.auditLogCompress,
    clock,
    // A failed rotation or pruning loses no event, but is logged.
    onFailure: (error) => lostEvents.add(0, error),
  });
  return new LogFile(file, {
    mode: options.auditLogMode === 'batch' ? 'batch' : 'blocking',
    maxWaitMs: options.auditLogBatchMaxWait,
    bufferSize: options.auditLogBatchBufferSize,
    clock,
    onLost,
  });
}

function openFile(options: RotationOptions): RotatingFile {
  try {
    return new RotatingFile(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`--audit-log-path ${options.path}: ${reason}; choose a file that the server can write`);
  }
}
