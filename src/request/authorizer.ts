// Authorizers: whether a user may make a request.
import { forbidden } from '../errors/catalogue.ts';
import type { ApiError } from '../errors/status.ts';
import type { RequestInfo } from './request-info.ts';
import type { User } from './user.ts';

export interface Decision {
  readonly allowed: boolean;
  /** Why, or why not; '' when there is nothing to add. It may be put together when it is asked for. */
  readonly reason: string;
}

export interface Authorizer {
  authorize(user: User, info: RequestInfo): Decision | Promise<Decision>;
  /** All that somebody may do in a namespace, as far as it can be listed. */
  rulesFor(user: User, namespace: string): SubjectRules | Promise<SubjectRules>;
}

/** What may be done to resources, and to paths that are none. */
export interface SubjectRules {
  readonly resourceRules: readonly ResourceRuleInfo[];
  readonly nonResourceRules: readonly NonResourceRuleInfo[];
  /** There may be more that cannot be listed. */
  readonly incomplete?: boolean;
  /** What went wrong on the way: roles that are bound but not there. */
  readonly evaluationError?: string;
  readonly missingRoles?: readonly { readonly kind: string; readonly name: string }[];
}

interface ResourceRuleInfo {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface NonResourceRuleInfo {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export const allow: Decision = { allowed: true, reason: '' };
export const deny: Decision = { allowed: false, reason: '' };

/** How a refusal reads to the client. */
export function forbiddenError(user: User, info: RequestInfo, reason: string): ApiError {
  const why = reason === '' ? describe(user, info) : `${describe(user, info)}: ${reason}`;
  return forbidden({ group: info.group, resource: info.resource }, info.name, why);
}

function describe(user: User, info: RequestInfo): string {
  const who = `User ${JSON.stringify(user.name)} cannot ${info.verb}`;
  if (!info.isResource) return `${who} path ${JSON.stringify(info.path)}`;
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  const where =
    info.namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(info.namespace)}`;
  return `${who} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(info.group)} ${where}`;
}
