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
  readonly meters: Metrics;
}

type Options = AuditOptions & { readonly auditLogPath: string };

const megabyte = 1024 * 1024;

/** Throws when the log file cannot be opened. */
export function makeAuditor(options: Options, policy: AuditPolicy, parts: AuditParts): Auditor {
  const { dialect, clock, meters, logger } = parts;
  const lost = new LostEvents(meters, logger);
  const callers = new Callers();
  const stamps = new MicroTimeFormatter();
  return new Auditor({
    rules: new PolicyRuleEvaluator(policy),
    callers,
    format:
      options.auditLogFormat === 'json' ? new JsonEvents(dialect, callers, stamps) : new LegacyEvents(stamps),
    sink: sinkOf(options, parts, lost),
    strict: options.auditLogMode === 'blocking-strict',
    clock,
    meters,
    maxEventBytes: options.auditLogTruncateEnabled
      ? options.auditLogTruncateMaxEventSize
      : Number.POSITIVE_INFINITY,
    onLost: (events, error) => lost.add(events, error),
  });
}

function sinkOf(options: Options, { clock }: AuditParts, lost: LostEvents): AuditBackend {
  const onLost = (events: number, error: unknown) => lost.add(events, error);
  if (options.auditLogPath === '-') return new StandardOutput(process.stdout, onLost);
  const file = openFile({
    path: options.auditLogPath,
    maxSize: (options.auditLogMaxsize || 100) * megabyte,
    maxBackups: options.auditLogMaxbackup,
    maxAgeDays: options.auditLogMaxage,
    compress: options.auditLogCompress,
    clock,
    onFailure: (error) => lost.add(0, error),
  });
  return new LogFile(file, {
    mode: options.auditLogMode === 'batch' ? 'batch' : 'blocking',
    maxWait: options.auditLogBatchMaxWait,
    bufferSize: options.auditLogBatchBufferSize,
    clock,
    onLost,
  });
}

function openFile(options: RotationOptions): RotatingFile {
  try {
    return new RotatingFile(options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`--audit-log-path ${options.path}: ${why}; choose a file that the server can write`);
  }
}
