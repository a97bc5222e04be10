// clusterrole-aggregation-controller: maintains the rules of ClusterRoles with an aggregationRule.
import type { ClusterRole } from '../../apis/rbac/clusterrole.ts';
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import type { Api } from '../../registry/api.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import { apply } from '../../registry/verbs/apply.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { type AggregatableRole, aggregatedRules, aggregatesFrom } from './aggregated-rules.ts';

/** The field manager of upstream's controller. */
const aggregationController = 'clusterrole-aggregation-controller';

/** Reconciles the roles whose selectors match a changed role, and writes only rules that differ. */
export class ClusterRoleAggregationController implements Controller {
  readonly #api: Api;
  readonly #follower: Reflector;
  readonly #roles = new Map<string, AggregatableRole>();
  /** Names of roles with an aggregationRule. */
  readonly #gathering = new Map<string, AggregatableRole>();
  readonly #outdated: WorkQueue;

  constructor({ api, newQueue }: ControllerContext) {
    this.#api = api;
    this.#outdated = newQueue({ name: 'ClusterRoleAggregator', reconcile: (name) => this.#look(name) });
    this.#follower = new Reflector(api.store, 'clusterroles', {
      add: (object) => this.#add(object),
      remove: ({ key }) => this.#remove(nameIn(key)),
      clear: () => {
        this.#roles.clear();
        this.#gathering.clear();
        this.#outdated.clear();
      },
    });
  }

  /** Resolves once all aggregated roles are up to date. */
  async start(): Promise<void> {
    this.#follower.sync();
    await this.#outdated.idle();
  }

  reset(): void {
    this.#follower.reset();
    this.#follower.sync();
  }

  async close(): Promise<void> {
    this.#follower.close();
    await this.#outdated.close();
  }

  #add(object: StoredObject): void {
    const role = read(object);
    if (!role) return;
    this.#roles.set(role.name, role);
    if (role.selectors) this.#gathering.set(role.name, role);
    this.#concern(role);
  }

  #remove(name: string): void {
    const role = this.#roles.get(name);
    if (!role) return;
    this.#roles.delete(name);
    this.#gathering.delete(name);
    this.#concern(role);
  }

  #concern(changed: AggregatableRole): void {
    for (const role of this.#gathering.values()) {
      if (role.name === changed.name || aggregatesFrom(role, changed)) this.#outdated.add(role.name);
    }
  }

  async #look(name: string): Promise<void> {
    const role = this.#gathering.get(name);
    if (!role) return;
    const rules = aggregatedRules(role, this.#roles.values());
    if (JSON.stringify(rules) !== JSON.stringify(role.rules)) await this.#write(role, rules);
  }

  async #write({ name, uid }: AggregatableRole, rules: readonly ReadonlyPolicyRule[]): Promise<void> {
    const { dialect, registry } = this.#api;
    const resource = registry.kind(dialect.groupName('rbac.authorization'), 'v1', 'clusterroles');
    const target = { resource, namespace: '', name, subresource: '' };
    // The uid is a precondition: a deleted role is not created again.
    const value: JsonObject = {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: { name, uid },
      ...(rules.length > 0 && { rules: rules as JsonObject[] }),
    };
    const options = { ...plainWrite, manager: aggregationController, force: true };
    await apply(this.#api, target, { value, repeated: [] }, options, []);
  }
}

function read({ key, json }: StoredObject): AggregatableRole | undefined {
  try {
    const { metadata, rules, aggregationRule } = JSON.parse(json.toString()) as ClusterRole;
    return {
      name: nameIn(key),
      uid: metadata.uid ?? '',
      labels: metadata.labels ?? {},
      rules: rules ?? [],
      selectors: aggregationRule?.clusterRoleSelectors,
    };
  } catch {
    return undefined;
  }
}

const nameIn = (key: string) => key.slice(key.indexOf('/') + 1);
