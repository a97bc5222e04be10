// RBAC: the roles and bindings of one namespace, or of the cluster, indexed by subject.
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import { accountUser } from '../../request/service-account-names.ts';
import type { User } from '../../request/user.ts';
import type { AuthorizerBinding, BindingSubject } from './grant.ts';

/** A binding, and its subject that matches the user. */
export interface BindingMatch {
  readonly binding: AuthorizerBinding;
  readonly subject: BindingSubject;
}

export class PolicyScope {
  readonly #roles = new Map<string, readonly ReadonlyPolicyRule[]>();
  readonly #bindings = new Map<string, AuthorizerBinding>();
  /** Bindings by the names of the users and service accounts among their subjects. */
  readonly #byUser = new Map<string, Set<AuthorizerBinding>>();
  readonly #byGroup = new Map<string, Set<AuthorizerBinding>>();

  get isEmpty(): boolean {
    return this.#roles.size === 0 && this.#bindings.size === 0;
  }

  /** The rules of a role; undefined if it does not exist. */
  rulesOfRole(name: string): readonly ReadonlyPolicyRule[] | undefined {
    return this.#roles.get(name);
  }

  /** Without rules, deletes the role. */
  setRole(name: string, rules: readonly ReadonlyPolicyRule[] | undefined): void {
    if (rules) this.#roles.set(name, rules);
    else this.#roles.delete(name);
  }

  setBinding(binding: AuthorizerBinding): void {
    this.deleteBinding(binding.name);
    this.#bindings.set(binding.name, binding);
    for (const subject of binding.subjects) {
      const key = subjectKey(subject, binding);
      if (key === undefined) continue;
      const index = this.#indexFor(subject);
      const bindings = index.get(key);
      if (bindings) bindings.add(binding);
      else index.set(key, new Set([binding]));
    }
  }

  deleteBinding(name: string): void {
    const binding = this.#bindings.get(name);
    if (!binding) return;
    this.#bindings.delete(name);
    for (const subject of binding.subjects) {
      const key = subjectKey(subject, binding);
      if (key === undefined) continue;
      const index = this.#indexFor(subject);
      const bindings = index.get(key);
      bindings?.delete(binding);
      if (bindings?.size === 0) index.delete(key);
    }
  }

  /** The bindings that apply to a user, sorted by name. */
  matchBindings(user: User): BindingMatch[] {
    const bindings = new Set<AuthorizerBinding>(this.#byUser.get(user.name));
    for (const group of user.groups) {
      for (const binding of this.#byGroup.get(group) ?? []) bindings.add(binding);
    }
    return [...bindings]
      .sort((left, right) => (left.name < right.name ? -1 : 1))
      .map((binding) => ({
        binding,
        subject: binding.subjects.find((subject) => matchesUser(subject, user, binding))!,
      }));
  }

  #indexFor({ kind }: BindingSubject): Map<string, Set<AuthorizerBinding>> {
    return kind === 'Group' ? this.#byGroup : this.#byUser;
  }
}

function matchesUser(subject: BindingSubject, user: User, binding: AuthorizerBinding): boolean {
  if (subject.kind === 'Group') return user.groups.includes(subject.name);
  return subjectKey(subject, binding) === user.name;
}

/** The name of the group or user of a subject; undefined for an invalid subject. */
function subjectKey(
  { kind, name, namespace }: BindingSubject,
  binding: AuthorizerBinding,
): string | undefined {
  if (kind === 'User' || kind === 'Group') return name;
  const accountNamespace = namespace || binding.namespace;
  return kind === 'ServiceAccount' && accountNamespace !== ''
    ? accountUser(accountNamespace, name)
    : undefined;
}
