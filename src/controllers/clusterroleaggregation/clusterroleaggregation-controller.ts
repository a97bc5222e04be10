// clusterrole-aggregation-controller: maintains the rules of ClusterRoles with an aggregationRule.
import type { ClusterRole } from '../../apis/rbac/clusterrole.ts';
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { Client, Manifest } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { type AggregatableRole, aggregatedRules } from './aggregated-rules.ts';

/** The field manager of upstream's controller. */
const manager = 'clusterrole-aggregation-controller';

const clusterRoles = { group: 'rbac.authorization', version: 'v1', resource: 'clusterroles' } as const;

/** Reconciles the roles with an aggregationRule when any role changes, and writes only rules that differ. */
export class ClusterRoleAggregationController implements Controller {
  readonly #client: Client;
  readonly #informer: Informer<ClusterRole>;
  readonly #roles = new Map<string, AggregatableRole>();
  /** Roles with an aggregationRule, by name. */
  readonly #aggregating = new Map<string, AggregatableRole>();
  readonly #queue: WorkQueue;

  constructor({ client, informers, newQueue }: ControllerContext) {
    this.#client = client;
    this.#queue = newQueue({ name: 'ClusterRoleAggregator', reconcile: (name) => this.#reconcile(name) });
    this.#informer = informers.informer<ClusterRole>(clusterRoles, {
      onAdd: (role) => this.#add(role),
      onUpdate: (oldRole, newRole) => {
        this.#remove(oldRole.name);
        this.#add(newRole);
      },
      onDelete: ({ name }) => this.#remove(name),
      onReset: () => {
        this.#roles.clear();
        this.#aggregating.clear();
        this.#queue.clear();
      },
    });
  }

  /** Resolves once all aggregated roles are up to date. */
  async start(): Promise<void> {
    this.#informer.sync();
    await this.#queue.idle();
  }

  reset(): void {
    this.#informer.reset();
    this.#informer.sync();
  }

  async close(): Promise<void> {
    this.#informer.close();
    await this.#queue.close();
  }

  #add(object: InformerObject<ClusterRole>): void {
    const role = toAggregatableRole(object);
    if (!role) return;
    this.#roles.set(role.name, role);
    if (role.selectors) this.#aggregating.set(role.name, role);
    this.#enqueueAggregating();
  }

  #remove(name: string): void {
    if (!this.#roles.delete(name)) return;
    this.#aggregating.delete(name);
    this.#enqueueAggregating();
  }

  /** Which roles select the changed one is found out when they are reconciled: a role may have very many selectors. */
  #enqueueAggregating(): void {
    for (const name of this.#aggregating.keys()) this.#queue.add(name);
  }

  async #reconcile(name: string): Promise<void> {
    const role = this.#aggregating.get(name);
    if (!role) return;
    const rules = await aggregatedRules(role, this.#roles.values());
    if (JSON.stringify(rules) !== JSON.stringify(role.rules)) await this.#apply(role, rules);
  }

  async #apply({ name, uid }: AggregatableRole, rules: readonly ReadonlyPolicyRule[]): Promise<void> {
    const { apiVersion, kind } = this.#informer.resource;
    // The uid is a precondition: a deleted role is not created again.
    const metadata = { name, uid };
    const configuration: Manifest = { apiVersion, kind, metadata, ...(rules.length > 0 && { rules }) };
    await this.#client.apply(this.#informer, configuration, { manager });
  }
}

/** Undefined if the stored object cannot be decoded. */
function toAggregatableRole(object: InformerObject<ClusterRole>): AggregatableRole | undefined {
  const role = object.tryDecodeLazily();
  return (
    role && {
      name: object.name,
      uid: role.metadata.uid ?? '',
      labels: role.metadata.labels ?? {},
      rules: role.rules ?? [],
      selectors: role.aggregationRule?.clusterRoleSelectors,
    }
  );
}
