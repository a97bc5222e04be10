import { readFileSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Dialect } from '../dialect/index.ts';
import type { ServerOptions } from '../server/options.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Auditor } from './auditor.ts';

export interface AuditParts {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meters: Metrics;
}

/** The auditor that the options ask for; undefined, and nothing of it loaded, where they ask for none. */
export async function openAudit(options: ServerOptions, parts: AuditParts): Promise<Auditor | undefined> {
  const { auditPolicyFile, auditLogPath } = options;
  if (auditPolicyFile === undefined && auditLogPath === undefined) return undefined;
  if (auditLogPath === undefined) {
    parts.logger.warn({}, '--audit-policy-file has no effect without --audit-log-path: auditing is disabled');
  }
  if (auditPolicyFile === undefined) {
    parts.logger.warn({}, '--audit-log-path has no effect without --audit-policy-file: auditing is disabled');
    return undefined;
  }
  const { readPolicy } = await import('./policy-file.ts');
  const policy = readPolicy(readFileSync(auditPolicyFile), auditPolicyFile, parts.dialect);
  if (auditLogPath === undefined) return undefined;
  const { makeAuditor } = await import('../server/make-auditor.ts');
  return makeAuditor({ ...options, auditLogPath }, policy, parts);
}
