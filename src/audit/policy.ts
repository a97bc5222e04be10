import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';

export const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type Level = (typeof levels)[number];

export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type Stage = (typeof stages)[number];

/** What is written down of which requests. */
export interface Policy {
  readonly rules: readonly PolicyRule[];
  readonly omitStages: readonly Stage[];
  readonly omitManagedFields: boolean;
}

/** A list that is empty matches everything. */
export interface PolicyRule {
  readonly level: Level;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly Stage[];
  /** As the policy says, when left out. */
  readonly omitManagedFields: boolean | undefined;
}

export interface GroupResources {
  readonly group: string;
  /** `pods`, `pods/log`; a star stands for every resource, every subresource, or both. */
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** What a rule says about a request that it matches. */
export interface Verdict {
  readonly level: Level;
  readonly omitStages: readonly Stage[];
  readonly omitManagedFields: boolean;
}

type Asked = Pick<
  RequestInfo,
  'verb' | 'isResource' | 'path' | 'namespace' | 'group' | 'resource' | 'subresource' | 'name'
>;

interface ReadyRule {
  readonly rule: PolicyRule;
  readonly verdict: Verdict;
}

/** Finds the first rule that matches a request. Users come again and again: which rules can concern them is kept. */
export class PolicyRules {
  readonly #rules: readonly ReadyRule[];
  readonly #ofUser = new WeakMap<User, readonly ReadyRule[]>();
  readonly #otherwise: Verdict;

  constructor({ rules, omitStages, omitManagedFields }: Policy) {
    this.#rules = rules.map((rule) => ({
      rule,
      verdict: {
        level: rule.level,
        omitStages: [...new Set([...omitStages, ...rule.omitStages])],
        omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
      },
    }));
    this.#otherwise = { level: 'None', omitStages, omitManagedFields };
  }

  /** `user` is undefined where it could not be told who asks. */
  judge(user: User | undefined, asked: Asked): Verdict {
    for (const { rule, verdict } of this.#rulesFor(user)) {
      if (matchesRequest(rule, asked)) return verdict;
    }
    return this.#otherwise;
  }

  #rulesFor(user: User | undefined): readonly ReadyRule[] {
    if (user === undefined) return this.#rules.filter(({ rule }) => matchesUser(rule, undefined));
    let rules = this.#ofUser.get(user);
    if (rules === undefined) {
      rules = this.#rules.filter(({ rule }) => matchesUser(rule, user));
      this.#ofUser.set(user, rules);
    }
    return rules;
  }
}

function matchesUser({ users, userGroups }: PolicyRule, user: User | undefined): boolean {
  if (users.length > 0 && (user === undefined || !users.includes(user.name))) return false;
  return userGroups.length === 0 || (user?.groups.some((group) => userGroups.includes(group)) ?? false);
}

function matchesRequest(rule: PolicyRule, asked: Asked): boolean {
  if (rule.verbs.length > 0 && !rule.verbs.includes(asked.verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) {
    if (!asked.isResource) return false;
    if (rule.namespaces.length > 0 && !rule.namespaces.includes(asked.namespace)) return false;
    return rule.resources.length === 0 || rule.resources.some((entry) => covers(entry, asked));
  }
  if (rule.nonResourceURLs.length === 0) return true;
  return !asked.isResource && rule.nonResourceURLs.some((pattern) => fits(asked.path, pattern));
}

function covers({ group, resources, resourceNames }: GroupResources, asked: Asked): boolean {
  if (group !== asked.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(asked.name)) return false;
  const { resource, subresource } = asked;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (pattern) =>
      pattern === '*' ||
      pattern === whole ||
      pattern === `${resource}/*` ||
      (subresource !== '' && pattern === `*/${subresource}`),
  );
}

function fits(path: string, pattern: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));
}
