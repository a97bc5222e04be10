// RBAC: the authorizer's decisions: allowed by a binding, or denied while bound roles are missing.
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import { quote } from '../../errors/quote.ts';
import type { Decision } from '../../request/authorizer.ts';

export interface BindingSubject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleReference {
  readonly kind: string;
  readonly name: string;
}

/** A RoleBinding, or without a namespace a ClusterRoleBinding. */
export interface AuthorizerBinding {
  readonly name: string;
  readonly namespace: string;
  readonly roleRef: RoleReference;
  readonly subjects: readonly BindingSubject[];
}

/** Allowed by a binding: its role's rules, and the subject that matches the user. */
export class Grant implements Decision {
  readonly allowed = true;
  readonly binding: AuthorizerBinding;
  readonly subject: BindingSubject;
  readonly rules: readonly ReadonlyPolicyRule[];

  constructor(binding: AuthorizerBinding, subject: BindingSubject, rules: readonly ReadonlyPolicyRule[]) {
    this.binding = binding;
    this.subject = subject;
    this.rules = rules;
  }

  /** Built on demand: only audit and access reviews read it. */
  get reason(): string {
    const { name, namespace, roleRef } = this.binding;
    const binding =
      namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
    return `RBAC: allowed by ${binding} of ${roleRef.kind} ${quote(roleRef.name)} to ${this.#formatSubject()}`;
  }

  #formatSubject(): string {
    const { kind, name, namespace } = this.subject;
    const where = kind === 'ServiceAccount' ? `/${namespace || this.binding.namespace}` : '';
    return `${kind} ${quote(name + where)}`;
  }
}

/** Denied, while some bindings refer to roles that do not exist and might have allowed the request. */
export class MissingRoles implements Decision {
  readonly allowed = false;
  readonly roles: readonly RoleReference[];
  readonly #group: string;

  constructor(roles: readonly RoleReference[], group: string) {
    this.roles = roles;
    this.#group = group;
  }

  get reason(): string {
    return `RBAC: ${this.text}`;
  }

  /** The reason without prefix, for the evaluationError of a rules review. */
  get text(): string {
    const texts = new Set(
      this.roles.map(({ kind, name }) => `${kind.toLowerCase()}.${this.#group} ${quote(name)} not found`),
    );
    return texts.size === 1 ? [...texts][0]! : `[${[...texts].join(', ')}]`;
  }
}
