import { type Authorizer, type Decision, deny, type SubjectRules } from '../../request/authorizer.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { User } from '../../request/user.ts';
import { Grant, MissingRoles, type RoleReference } from './grant.ts';
import type { PolicyCache } from './policy-cache.ts';
import type { BindingMatch, PolicyScope } from './policy-scope.ts';
import { ResolvedRules } from './resolved-rules.ts';

/** What somebody may do, as far as it has been worked out: everywhere, and in the namespaces they have asked about. */
interface Standing {
  readonly generation: number;
  readonly everywhere: Part;
  readonly byNamespace: Map<string, Part>;
}

interface Part {
  readonly generation: number;
  readonly rules: ResolvedRules;
  /** What they hear where nothing allows it. */
  readonly denial: Decision;
}

/** How much is remembered; whatever falls out is worked out anew. */
const mostUsers = 4096;
const mostNamespacesOfUser = 256;
const mostSets = 1024;

/**
 * Decides by roles and bindings. What a user may do in a namespace is worked out once, from the bindings that name the
 * user or one of their groups, and holds until one of these or its role changes: after that a decision is a few lookups.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #policy: PolicyCache;
  /** The API group of roles, for messages. */
  readonly #group: string;
  readonly #byUser = new WeakMap<User, Standing>();
  readonly #byName = new Map<string, Standing>();
  /** Many are given the same, like most service accounts of a cluster: they share it. */
  readonly #sets = new Map<string, ResolvedRules>();

  constructor(policy: PolicyCache, group: string) {
    this.#policy = policy;
    this.#group = group;
  }

  authorize(user: User, info: RequestInfo): Decision {
    const standing = this.#standing(user);
    const { rules, denial } = standing.everywhere;
    const grant = rules.find(info);
    if (grant !== undefined) return grant;
    const local = info.namespace === '' ? undefined : this.#local(standing, user, info.namespace);
    return local === undefined ? denial : (local.rules.find(info) ?? local.denial);
  }

  rulesFor(user: User, namespace: string): SubjectRules {
    const standing = this.#standing(user);
    const local = namespace === '' ? undefined : this.#local(standing, user, namespace);
    const parts = [standing.everywhere.rules, ...(local ? [local.rules] : [])];
    const rules = parts.flatMap(({ grants }) => grants.flatMap((grant) => grant.rules));
    const missing = parts.flatMap((part) => part.missing);
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

  #standing(user: User): Standing {
    const generation = this.#policy.generation();
    const known = this.#byUser.get(user);
    if (known?.generation === generation) return known;
    const name = JSON.stringify([user.name, user.groups]);
    let standing = this.#byName.get(name);
    if (standing?.generation !== generation) {
      const everywhere = this.#partIn('', this.#policy.scope(), user, []);
      standing = { generation, everywhere, byNamespace: new Map() };
      remember(this.#byName, name, standing, mostUsers);
    }
    this.#byUser.set(user, standing);
    return standing;
  }

  #local({ everywhere, byNamespace }: Standing, user: User, namespace: string): Part | undefined {
    const generation = this.#policy.generation(namespace);
    // Nothing is remembered of namespaces without roles: a client may ask about any name.
    if (generation === 0) return undefined;
    const known = byNamespace.get(namespace);
    if (known?.generation === generation) return known;
    const scope = this.#policy.scope(namespace);
    const part = this.#partIn(namespace, scope, user, everywhere.rules.missing);
    remember(byNamespace, namespace, part, mostNamespacesOfUser);
    return part;
  }

  #partIn(
    namespace: string,
    scope: PolicyScope | undefined,
    user: User,
    missingBefore: readonly RoleReference[],
  ): Part {
    const generation = this.#policy.generation(namespace);
    const matches = scope?.matching(user) ?? [];
    // As JSON: the name of a binding may hold whatever stands between two of them.
    const key = JSON.stringify([
      namespace,
      this.#policy.generation(),
      generation,
      ...matches.flatMap(({ binding, subject }) => [binding.name, binding.subjects.indexOf(subject)]),
    ]);
    let rules = this.#sets.get(key);
    if (!rules) {
      rules = this.#rulesBy(matches, scope);
      remember(this.#sets, key, rules, mostSets);
    }
    const missing = [...missingBefore, ...rules.missing];
    return {
      generation,
      rules,
      denial: missing.length === 0 ? deny : new MissingRoles(missing, this.#group),
    };
  }

  #rulesBy(matches: readonly BindingMatch[], scope: PolicyScope | undefined): ResolvedRules {
    const grants: Grant[] = [];
    const missing: RoleReference[] = [];
    for (const { binding, subject } of matches) {
      const { kind, name } = binding.roleRef;
      const rules = (kind === 'ClusterRole' ? this.#policy.scope() : scope)?.role(name);
      if (rules) grants.push(new Grant(binding, subject, rules));
      else missing.push(binding.roleRef);
    }
    return new ResolvedRules(grants, missing);
  }
}

/** Keeps at most so many; the oldest goes first. */
function remember<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}
