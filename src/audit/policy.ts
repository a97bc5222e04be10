// Audit: policy rules, levels and stages, and their evaluation for a request.
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';

export const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof levels)[number];

export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof stages)[number];

export interface AuditPolicy {
  readonly rules: readonly AuditPolicyRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** A rule matches a request if all its lists do. An empty list matches everything. */
export interface AuditPolicyRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  /** Undefined: the policy's value applies. */
  readonly omitManagedFields: boolean | undefined;
}

export interface GroupResources {
  readonly group: string;
  /** `pods` or `pods/log`; `*` matches every resource or subresource. */
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** How to audit a request (upstream: audit.RequestAuditConfig). */
export interface RequestAuditConfig {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

type AuditAttributes = Pick<
  RequestInfo,
  'verb' | 'isResource' | 'path' | 'namespace' | 'group' | 'resource' | 'subresource' | 'name'
>;

interface CompiledRule {
  readonly rule: AuditPolicyRule;
  readonly config: RequestAuditConfig;
}

/** Finds the first rule that matches a request. The rules that can match a user are cached. */
export class PolicyRuleEvaluator {
  readonly #rules: readonly CompiledRule[];
  readonly #rulesByUser = new WeakMap<User, readonly CompiledRule[]>();
  readonly #unmatchedConfig: RequestAuditConfig;

  constructor({ rules, omitStages, omitManagedFields }: AuditPolicy) {
    this.#rules = rules.map((rule) => ({
      rule,
      config: {
        level: rule.level,
        omitStages: [...new Set([...omitStages, ...rule.omitStages])],
        omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
      },
    }));
    this.#unmatchedConfig = { level: 'None', omitStages, omitManagedFields };
  }

  /** `user` is undefined if authentication failed. */
  evaluate(user: User | undefined, attributes: AuditAttributes): RequestAuditConfig {
    for (const { rule, config } of this.#rulesFor(user)) {
      if (matchesRequest(rule, attributes)) return config;
    }
    return this.#unmatchedConfig;
  }

  #rulesFor(user: User | undefined): readonly CompiledRule[] {
    if (user === undefined) return this.#rules.filter(({ rule }) => matchesUser(rule, undefined));
    let rules = this.#rulesByUser.get(user);
    if (rules === undefined) {
      rules = this.#rules.filter(({ rule }) => matchesUser(rule, user));
      this.#rulesByUser.set(user, rules);
    }
    return rules;
  }
}

function matchesUser({ users, userGroups }: AuditPolicyRule, user: User | undefined): boolean {
  if (users.length > 0 && (user === undefined || !users.includes(user.name))) return false;
  return userGroups.length === 0 || (user?.groups.some((group) => userGroups.includes(group)) ?? false);
}

function matchesRequest(rule: AuditPolicyRule, attributes: AuditAttributes): boolean {
  if (rule.verbs.length > 0 && !rule.verbs.includes(attributes.verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) {
    if (!attributes.isResource) return false;
    if (rule.namespaces.length > 0 && !rule.namespaces.includes(attributes.namespace)) return false;
    return rule.resources.length === 0 || rule.resources.some((entry) => matchesResource(entry, attributes));
  }
  if (rule.nonResourceURLs.length === 0) return true;
  return (
    !attributes.isResource && rule.nonResourceURLs.some((pattern) => matchesPath(attributes.path, pattern))
  );
}

function matchesResource(
  { group, resources, resourceNames }: GroupResources,
  attributes: AuditAttributes,
): boolean {
  if (group !== attributes.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(attributes.name)) return false;
  const { resource, subresource } = attributes;
  const resourcePath = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (pattern) =>
      pattern === '*' ||
      pattern === resourcePath ||
      pattern === `${resource}/*` ||
      (subresource !== '' && pattern === `*/${subresource}`),
  );
}

function matchesPath(path: string, pattern: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));
}
