// RBAC: authorizes requests by roles and bindings.

import { digestOf } from '../../base/digest.ts';
import { type Authorizer, type Decision, deny, type SubjectRules } from '../../request/authorizer.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { User } from '../../request/user.ts';
import { Grant, MissingRoles, type RoleReference } from './grant.ts';
import type { RbacPolicyCache } from './policy-cache.ts';
import type { BindingMatch, PolicyScope } from './policy-scope.ts';
import { ResolvedRules } from './resolved-rules.ts';

/** Cached rules of a user: cluster-wide, and in the namespaces of earlier requests. */
interface UserRules {
  /** The generation of the cluster-wide policy from which the rules were resolved. */
  readonly generation: number;
  readonly clusterWide: ScopeRules;
  readonly byNamespace: Map<string, ScopeRules>;
}

/** A user's rules of one scope: the cluster or a namespace. `generation` is that of the scope's policy. */
interface ScopeRules {
  readonly generation: number;
  readonly rules: ResolvedRules;
  /** The decision if no rule allows the request. */
  readonly denial: Decision;
}

/** Cache sizes. Keys are digests, so that the caches are bounded in bytes too. Evicted rules are resolved again. */
const maxUsers = 4096;
const maxNamespacesPerUser = 256;
const maxRuleSets = 1024;

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
  readonly #byNameAndGroups = new Map<string, UserRules>();
  /** Rules by matching bindings, because many users match the same bindings: most service accounts of a cluster do. */
  readonly #ruleSets = new Map<string, ResolvedRules>();

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
    if (cached?.generation === generation) return cached;
    // A digest, because an access review may name a user with megabytes of groups.
    const nameAndGroups = digestOf(JSON.stringify([user.name, user.groups]));
    let userRules = this.#byNameAndGroups.get(nameAndGroups);
    if (userRules?.generation !== generation) {
      const clusterWide = this.#rulesInScope('', this.#policy.scope(), user, []);
      userRules = { generation, clusterWide, byNamespace: new Map() };
      addToCache(this.#byNameAndGroups, nameAndGroups, userRules, maxUsers);
    }
    this.#byUser.set(user, userRules);
    return userRules;
  }

  /** Undefined if the namespace has no roles and bindings. */
  #rulesInNamespace(
    { clusterWide, byNamespace }: UserRules,
    user: User,
    namespace: string,
  ): ScopeRules | undefined {
    const generation = this.#policy.generation(namespace);
    // Namespaces without roles are not cached: clients could fill the cache with arbitrary names.
    if (generation === 0) return undefined;
    const cached = byNamespace.get(namespace);
    if (cached?.generation === generation) return cached;
    const scope = this.#policy.scope(namespace);
    const resolved = this.#rulesInScope(namespace, scope, user, clusterWide.rules.missingRoles);
    addToCache(byNamespace, namespace, resolved, maxNamespacesPerUser);
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
      addToCache(this.#ruleSets, key, rules, maxRuleSets);
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

/** Adds an entry, and evicts the oldest beyond the maximum. */
function addToCache<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value!);
}
