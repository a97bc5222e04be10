// Test fixture: roles and bindings in a memory store, and an authorizer on them.

import { rbacKinds } from '../../apis/rbac/index.ts';
import { MovableClock } from '../../base/clock.ts';
import { Informers } from '../../client/informers.ts';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { Registry } from '../../kind/registry.ts';
import type { Authorizer } from '../../request/authorizer.ts';
import { MemoryStore } from '../../store/memory/memory-store.ts';
import { authorizerForModes } from '../authorization-modes.ts';
import { bootstrapBindings, bootstrapRoles } from '../bootstrap/policy-objects.ts';
import { RbacPolicyCache } from './policy-cache.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';

const kindContext = { dialect: orch, features: everyFeature };

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
  readonly policy = new RbacPolicyCache(
    new Informers({ registry: new Registry(rbacKinds(kindContext), orch), store: this.store, dialect: orch }),
  );
  readonly rbac = new RbacAuthorizer(this.policy, orch.groupName('rbac.authorization'));
  readonly authorizer: Authorizer = authorizerForModes(['RBAC'], this.rbac);

  async put(object: PolicyObject): Promise<void> {
    const json = Buffer.from(
      JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: '' } }),
    );
    const revisionOffset = json.indexOf(field) + field.length;
    const draft = {
      json,
      revisionOffset,
      listItemOffset: 1,
      labels: '',
      selectableFields: '',
      schemaFingerprint: '',
    };
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
  for (const object of [...bootstrapRoles(kindContext), ...bootstrapBindings(kindContext)]) {
    await fixture.put({ ...object });
  }
  return fixture;
}
