// Test fixture: roles and bindings in a memory store, and an authorizer on them.
import { MovableClock } from '../../base/clock.ts';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import type { Authorizer } from '../../request/authorizer.ts';
import { MemoryStore } from '../../store/memory/memory-store.ts';
import { authorizerForModes } from '../authorization-modes.ts';
import { bootstrapBindings, bootstrapRoles } from '../bootstrap/policy-objects.ts';
import { RbacPolicyCache } from './policy-cache.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';

const prefixes = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

const field = '"resourceVersion":"';

/** A role or binding. */
export interface PolicyObject {
  readonly kind: keyof typeof prefixes;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

export class PolicyFixture {
  readonly store = new MemoryStore({ clock: new MovableClock() });
  readonly policy = new RbacPolicyCache(this.store);
  readonly rbac = new RbacAuthorizer(this.policy, orch.groupName('rbac.authorization'));
  readonly authorizer: Authorizer = authorizerForModes(['RBAC'], this.rbac);

  async put(object: PolicyObject): Promise<void> {
    const json = Buffer.from(
      JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: '' } }),
    );
    const revisionAt = json.indexOf(field) + field.length;
    const draft = { json, revisionAt, itemAt: 1, labels: '', fields: '', mark: '' };
    await this.store.commit({ ...this.#locate(object), draft });
  }

  async delete(object: PolicyObject): Promise<void> {
    await this.store.commit({ ...this.#locate(object), draft: null });
  }

  #locate({ kind, metadata: { name = '', namespace } }: PolicyObject) {
    const prefix = prefixes[kind];
    return { prefix, key: namespace === undefined ? `${prefix}/${name}` : `${prefix}/${namespace}/${name}` };
  }
}

/** A fixture with the bootstrap policy. */
export async function bootstrapped(): Promise<PolicyFixture> {
  const fixture = new PolicyFixture();
  const context = { dialect: orch, features: everyFeature };
  for (const object of [...bootstrapRoles(context), ...bootstrapBindings(context)]) {
    await fixture.put({ ...object });
  }
  return fixture;
}
