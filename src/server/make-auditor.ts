import { Auditor } from '../audit/auditor.ts';
import { Callers } from '../audit/caller.ts';
import { JsonEvents } from '../audit/json-event.ts';
import { LegacyEvents } from '../audit/legacy-event.ts';
import { LogFile } from '../audit/log-file.ts';
import { LostEvents } from '../audit/lost-events.ts';
import type { AuditParts } from '../audit/open.ts';
import { type Policy, PolicyRules } from '../audit/policy.ts';
import { RotatingFile, type RotationOptions } from '../audit/rotating-file.ts';
import type { AuditSink } from '../audit/sink.ts';
import { Stamps } from '../audit/stamp.ts';
import { StandardOutput } from '../audit/standard-output.ts';
import type { ServerOptions } from './options.ts';

type Options = ServerOptions & { readonly auditLogPath: string };

const megabyte = 1024 * 1024;

/** Puts an auditor together. Throws when the log cannot be written to. */
export function makeAuditor(options: Options, policy: Policy, parts: AuditParts): Auditor {
  const { dialect, clock, meters, logger } = parts;
  const lost = new LostEvents(meters, logger);
  const callers = new Callers();
  const stamps = new Stamps();
  return new Auditor({
    rules: new PolicyRules(policy),
    callers,
    format:
      options.auditLogFormat === 'json' ? new JsonEvents(dialect, callers, stamps) : new LegacyEvents(stamps),
    sink: sinkOf(options, parts, lost),
    strict: options.auditLogMode === 'blocking-strict',
    clock,
    meters,
    longestEvent: options.auditLogTruncateEnabled
      ? options.auditLogTruncateMaxEventSize
      : Number.POSITIVE_INFINITY,
    onLost: (events, error) => lost.add(events, error),
  });
}

function sinkOf(options: Options, { clock }: AuditParts, lost: LostEvents): AuditSink {
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
