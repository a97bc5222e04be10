// Authorizers: decide whether a user may make a request.
import { forbidden } from '../errors/catalogue.ts';
import type { ApiError } from '../errors/status.ts';
import type { RequestInfo } from './request-info.ts';
import type { User } from './user.ts';

export interface Decision {
  readonly allowed: boolean;
  /** '' without one. It may be a getter that builds the text. */
  readonly reason: string;
}

export interface Authorizer {
  authorize(user: User, info: RequestInfo): Decision | Promise<Decision>;
  /** The rules that apply to a user in a namespace, as far as they can be listed (SelfSubjectRulesReview). */
  rulesFor(user: User, namespace: string): SubjectRules | Promise<SubjectRules>;
}

export interface SubjectRules {
  readonly resourceRules: readonly ResourceRuleInfo[];
  readonly nonResourceRules: readonly NonResourceRuleInfo[];
  /** There may be more rules that cannot be listed. */
  readonly incomplete?: boolean;
  /** For example bound roles that do not exist. */
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

/** Decisions without a reason. */
export const allow: Decision = { allowed: true, reason: '' };
export const deny: Decision = { allowed: false, reason: '' };

/** The 403 of a denied request, with upstream's message. */
export function forbiddenError(user: User, info: RequestInfo, reason: string): ApiError {
  const message = reason === '' ? forbiddenMessage(user, info) : `${forbiddenMessage(user, info)}: ${reason}`;
  return forbidden({ group: info.group, resource: info.resource }, info.name, message);
}

function forbiddenMessage(user: User, info: RequestInfo): string {
  const subject = `User ${JSON.stringify(user.name)} cannot ${info.verb}`;
  if (!info.isResource) return `${subject} path ${JSON.stringify(info.path)}`;
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  const scope =
    info.namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(info.namespace)}`;
  return `${subject} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(info.group)} ${scope}`;
}
