// RBAC: authorizes requests by roles and bindings.

import { digestOf } from '../../base/digest.ts';
import { flatCopy } from '../../base/flat-copy.ts';
import { LruCache } from '../../base/lru-cache.ts';
import { type Authorizer, type Decision, deny, type SubjectRules } from '../../request/authorizer.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { User } from '../../request/user.ts';
import { Grant, MissingRoles, type RoleReference } from './grant.ts';
import type { RbacPolicyCache } from './policy-cache.ts';
import type { BindingMatch, PolicyScope } from './policy-scope.ts';
import { grantBytes, ResolvedRules } from './resolved-rules.ts';

/** Cached rules of a user: cluster-wide, and in the namespaces of earlier requests. */
interface UserRules {
  /** The digest of the name and groups. */
  readonly key: string;
  readonly clusterWide: ScopeRules;
  readonly byNamespace: Map<string, ScopeRules>;
  /** Approximate memory in bytes. */
  weight: number;
}

/** A user's rules of one scope: the cluster or a namespace. `generation` is that of the scope's policy. */
interface ScopeRules {
  readonly generation: number;
  readonly rules: ResolvedRules;
  /** The decision if no rule allows the request. */
  readonly denial: Decision;
}

/** Cache sizes. Keys are digests. Evicted rules are resolved again. */
const maxUserBytes = 12 * 1024 * 1024;
const maxNamespacesPerUser = 256;
const maxRuleSetBytes = 64 * 1024 * 1024;
/** Approximate memory of the rules of a user in a scope, beside the grants. */
const scopeBytes = 300;

/**
 * Resolves the rules of a user in a namespace once, from the bindings that name the user or one of their groups, and
 * caches them until the policy of that scope changes. A decision is then a few lookups.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #policy: RbacPolicyCache;
  /** The API group of roles, for error messages. */
  readonly #group: string;
  /** Requests with the same credentials usually have the same User object. */
  readonly #byUser = new WeakMap<User, UserRules>();
  readonly #byNameAndGroups = new LruCache<UserRules>({
    maxWeight: maxUserBytes,
    weightOf: ({ weight }) => weight,
    onEvict: ({ byNamespace }) => byNamespace.clear(),
  });
  /** Rules by matching bindings, because many users match the same bindings: most service accounts of a cluster do. */
  readonly #ruleSets = new LruCache<ResolvedRules>({
    maxWeight: maxRuleSetBytes,
    weightOf: ({ weight }) => weight,
    onEvict: (rules) => rules.evict(),
  });

  constructor(policy: RbacPolicyCache, group: string) {
    this.#policy = policy;
    this.#group = group;
  }

  authorize(user: User, info: RequestInfo): Decision {
    const userRules = this.#rulesOfUser(user);
    const { clusterWide } = userRules;
    const clusterGrant = clusterWide.rules.findGrant(info);
    if (clusterGrant !== undefined) return clusterGrant;
    if (info.namespace === '') return clusterWide.denial;
    const inNamespace = this.#rulesInNamespace(userRules, user, info.namespace);
    if (inNamespace === undefined) return clusterWide.denial;
    return inNamespace.rules.findGrant(info) ?? inNamespace.denial;
  }

  rulesFor(user: User, namespace: string): SubjectRules {
    const userRules = this.#rulesOfUser(user);
    const inNamespace = namespace === '' ? undefined : this.#rulesInNamespace(userRules, user, namespace);
    const scopes = [userRules.clusterWide.rules, ...(inNamespace ? [inNamespace.rules] : [])];
    const rules = scopes.flatMap(({ grants }) => grants.flatMap((grant) => grant.rules));
    const missing = scopes.flatMap((scope) => scope.missingRoles);
    return {
      resourceRules: rules
        .filter(({ resources }) => resources?.length)
        .map(({ verbs = [], apiGroups = [], resources = [], resourceNames }) => ({
          verbs,
          apiGroups,
          resources,
          ...(resourceNames?.length && { resourceNames }),
        })),
      nonResourceRules: rules
        .filter(({ nonResourceURLs }) => nonResourceURLs?.length)
        .map(({ verbs = [], nonResourceURLs = [] }) => ({ verbs, nonResourceURLs })),
      ...(missing.length > 0 && {
        missingRoles: missing,
        evaluationError: new MissingRoles(missing, this.#group).text,
      }),
    };
  }

  #rulesOfUser(user: User): UserRules {
    const generation = this.#policy.generation();
    const cached = this.#byUser.get(user);
    if (cached !== undefined && isCurrent(cached.clusterWide, generation)) return cached;
    // A digest, because an access review may name a user with megabytes of groups.
    const key = digestOf(JSON.stringify([user.name, user.groups]));
    let userRules = this.#byNameAndGroups.get(key);
    if (userRules === undefined || !isCurrent(userRules.clusterWide, generation)) {
      const clusterWide = this.#rulesInScope('', this.#policy.scope(), user, []);
      userRules = { key, clusterWide, byNamespace: new Map(), weight: scopeWeight(clusterWide) };
      this.#byNameAndGroups.set(key, userRules);
    }
    this.#byUser.set(user, userRules);
    return userRules;
  }

  /** Undefined if the namespace has no roles and bindings. */
  #rulesInNamespace(userRules: UserRules, user: User, namespace: string): ScopeRules | undefined {
    const { clusterWide, byNamespace } = userRules;
    const generation = this.#policy.generation(namespace);
    // Namespaces without roles are not cached: clients could fill the cache with arbitrary names.
    if (generation === 0) return undefined;
    const cached = byNamespace.get(namespace);
    if (cached !== undefined && isCurrent(cached, generation)) return cached;
    const scope = this.#policy.scope(namespace);
    const resolved = this.#rulesInScope(namespace, scope, user, clusterWide.rules.missingRoles);
    if (byNamespace.size >= maxNamespacesPerUser) byNamespace.clear();
    byNamespace.set(flatCopy(namespace), resolved);
    userRules.weight = scopeWeight(clusterWide);
    for (const rules of byNamespace.values()) userRules.weight += scopeWeight(rules);
    this.#byNameAndGroups.set(userRules.key, userRules);
    return resolved;
  }

  /** The rules of a user from the bindings of one scope. `namespace` is '' for the cluster scope. */
  #rulesInScope(
    namespace: string,
    scope: PolicyScope | undefined,
    user: User,
    missingClusterWide: readonly RoleReference[],
  ): ScopeRules {
    const generation = this.#policy.generation(namespace);
    const matches = scope?.matchBindings(user) ?? [];
    // As JSON, because the name of a binding may contain any separator.
    const matchesText = JSON.stringify([
      namespace,
      this.#policy.generation(),
      generation,
      ...matches.flatMap(({ binding, subject }) => [binding.name, binding.subjects.indexOf(subject)]),
    ]);
    const key = digestOf(matchesText);
    let rules = this.#ruleSets.get(key);
    if (!rules) {
      rules = this.#resolveRoles(matches, scope);
      this.#ruleSets.set(key, rules);
    }
    const missing = [...missingClusterWide, ...rules.missingRoles];
    return {
      generation,
      rules,
      denial: missing.length === 0 ? deny : new MissingRoles(missing, this.#group),
    };
  }

  /** Looks up the role of each binding. A RoleBinding may refer to a ClusterRole. */
  #resolveRoles(matches: readonly BindingMatch[], scope: PolicyScope | undefined): ResolvedRules {
    const grants: Grant[] = [];
    const missing: RoleReference[] = [];
    for (const { binding, subject } of matches) {
      const { kind, name } = binding.roleRef;
      const roleScope = kind === 'ClusterRole' ? this.#policy.scope() : scope;
      const rules = roleScope?.rulesOfRole(name);
      if (rules) grants.push(new Grant(binding, subject, rules));
      else missing.push(binding.roleRef);
    }
    return new ResolvedRules(grants, missing);
  }
}

/** Whether cached rules still apply: the policy is the same, and their index is counted in the cache of rule sets. */
const isCurrent = ({ generation, rules }: ScopeRules, current: number) =>
  generation === current && !rules.isEvicted;

const scopeWeight = ({ rules: { grants, missingRoles } }: ScopeRules) =>
  scopeBytes + grantBytes * (grants.length + missingRoles.length);
