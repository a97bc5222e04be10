// Audit: opens the auditor that the options configure.
import { readFileSync } from 'node:fs';
import type { Auditor } from './auditor.ts';
import type { AuditParts } from './make-auditor.ts';
import type { AuditOptions } from './options.ts';

/** Returns undefined, and loads no audit code, when auditing is disabled. */
export async function openAudit(options: AuditOptions, parts: AuditParts): Promise<Auditor | undefined> {
  const { auditPolicyFile, auditLogPath } = options;
  if (auditPolicyFile === undefined && auditLogPath === undefined) return undefined;
  if (auditLogPath === undefined) {
    parts.logger.warn({}, '--audit-policy-file has no effect without --audit-log-path: auditing is disabled');
  }
  if (auditPolicyFile === undefined) {
    parts.logger.warn({}, '--audit-log-path has no effect without --audit-policy-file: auditing is disabled');
    return undefined;
  }
  // Without a log path the policy is read only to report its errors.
  const { readPolicy } = await import('./policy-file.ts');
  const policy = readPolicy(readFileSync(auditPolicyFile), auditPolicyFile, parts.dialect);
  if (auditLogPath === undefined) return undefined;
  const { makeAuditor } = await import('./make-auditor.ts');
  return makeAuditor({ ...options, auditLogPath }, policy, parts);
}
