// Reads and validates CreateOptions, UpdateOptions and PatchOptions from the query.
import { invalidObject } from '../../errors/catalogue.ts';
import { type FieldError, forbidden, notSupported, required } from '../../errors/field-error.ts';
import { validateDryRun } from '../../kind/delete-options.ts';
import { isPrintable, maxFieldManagerBytes, validateFieldManager } from '../../kind/meta/validation.ts';
import type { AuditContext } from '../../request/audit.ts';
import type { TaskOwner } from '../../request/task-owner.ts';
import type { User } from '../../request/user.ts';
import { booleanParameter } from './query.ts';

/** The options of a create, update, patch or apply. */
export interface WriteOptions {
  /** The caller; undefined for writes of the server itself. */
  readonly user?: User;
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** The field manager; undefined for writes of the server itself. */
  readonly manager?: string;
  /** Server-side apply takes over fields of other managers instead of failing with a conflict. */
  readonly force?: boolean;
  /** Undefined for writes of the server itself. */
  readonly request?: OriginatingRequest;
  /** The cost of a validation rule above which the write fails with ExpensiveValidation; undefined: no limit but the rule's. */
  readonly maxRuleCost?: number;
  /** The query parameters as sent, for webhooks and policies; undefined without parameters. */
  readonly sentOptions?: SentOptions;
}

interface SentOptions {
  readonly dryRun: readonly string[];
  readonly fieldManager: string;
  readonly fieldValidation: string;
}

/** The request that a write belongs to: admission annotates its audit event, and stops when it is aborted. */
export interface OriginatingRequest extends TaskOwner {
  readonly audit: Pick<AuditContext, 'annotate' | 'keepsRequestObject'> | undefined;
  /** The deadline on the monotonic clock; undefined for requests without one. */
  readonly deadlineMs: number | undefined;
  /** Time spent in webhooks and other servers. */
  externalLatencyMs: number;
  /** The write is one of a deletecollection. */
  readonly isCollectionItem?: boolean;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The options of a write of the server itself, and of a request without query parameters. */
export const defaultWriteOptions: WriteOptions = { dryRun: false, fieldValidation: 'Warn' };

export function readWriteOptions(
  request: WriteOptionsRequest,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'ApplyOptions',
  metaGroup: string,
): WriteOptions {
  const { query, user, userAgent } = request;
  const isApply = kind === 'ApplyOptions';
  if (query.size === 0 && !isApply)
    return { ...defaultWriteOptions, user, request, manager: defaultManagerOf(userAgent) };
  const dryRun = query.getAll('dryRun');
  const fieldValidation = query.get('fieldValidation') ?? '';
  const manager = query.get('fieldManager') ?? '';
  const errors = [
    ...(isApply && manager === '' ? [required('fieldManager', 'is required for apply patch')] : []),
    ...(kind === 'PatchOptions' && query.has('force')
      ? [forbidden('force', 'may not be specified for non-apply patch')]
      : []),
    ...validateFieldManager(manager, 'fieldManager'),
    ...validateDryRun(dryRun),
    ...validateFieldValidation(fieldValidation),
  ];
  if (errors.length > 0) {
    throw invalidObject({ group: metaGroup, kind: isApply ? 'PatchOptions' : kind }, '', errors);
  }
  return {
    user,
    request,
    manager: manager || defaultManagerOf(userAgent),
    ...(isApply && booleanParameter(query, 'force') && { force: true }),
    sentOptions: { dryRun, fieldManager: manager, fieldValidation },
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
  };
}

/** The request that options are read from. */
interface WriteOptionsRequest extends OriginatingRequest {
  readonly query: URLSearchParams;
  readonly user: User;
  readonly userAgent: string;
}

/** Fast path: printable ASCII of at most `maxFieldManagerBytes` (128) needs no filtering. */
const printableAsciiName = /^[\x20-\x7e]{1,128}$/;

/** The default field manager: the User-Agent up to its first slash, without unprintable characters. */
function defaultManagerOf(userAgent: string): string {
  const program = userAgent.split('/', 1)[0]!;
  if (printableAsciiName.test(program)) return program;
  let manager = '';
  for (const character of program) {
    if (!isPrintable(character)) continue;
    if (Buffer.byteLength(manager + character) > maxFieldManagerBytes) break;
    manager += character;
  }
  return manager || 'unknown';
}

function validateFieldValidation(value: string): FieldError[] {
  return ['', 'Ignore', 'Strict', 'Warn'].includes(value)
    ? []
    : [notSupported('fieldValidation', value, ['', 'Ignore', 'Strict', 'Warn'])];
}
