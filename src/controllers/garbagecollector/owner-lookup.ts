// garbage-collector-controller: looks up the owners of an object.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { LruCache } from '../../base/lru-cache.ts';
import type { ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';
import { foregroundFinalizer } from '../../kind/delete-options.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import { tryReadMetadata } from '../../kind/storage/stored-metadata.ts';
import type { AggregatedApis } from '../runtime/aggregated-apis.ts';
import type { MonitoredObject, ResourceMonitor } from '../runtime/resource-monitor.ts';
import { uidOf } from './owner-references.ts';

/**
 * The state of an owner, as seen from a dependent.
 * - `there`: it exists.
 * - `absent`: it does not exist, or another object has its name.
 * - `leaving`: foreground deletion, it waits for its dependents.
 * - `outOfReach`: a cluster-scoped object cannot have a namespaced owner.
 * - `unknown`: the kind is not served, or served by an aggregated API server.
 */
export type OwnerState = 'there' | 'absent' | 'leaving' | 'outOfReach' | 'unknown';

const maxDeletedOwners = 4096;

export class OwnerLookup {
  readonly #monitor: ResourceMonitor;
  readonly #aggregatedApis: AggregatedApis;
  readonly #kinds: KindIndex;
  /** Namespaces of recently deleted owners by uid, for kinds that were removed together with their objects. */
  readonly #deletedOwners = new LruCache<string>(maxDeletedOwners);

  constructor(monitor: ResourceMonitor, kinds: Registry, aggregatedApis: AggregatedApis) {
    this.#monitor = monitor;
    this.#aggregatedApis = aggregatedApis;
    this.#kinds = new KindIndex(kinds);
  }

  /** Groups owners by their state. `namespace` is '' for a cluster-scoped dependent. */
  async classify(
    namespace: string,
    owners: readonly OwnerReference[],
  ): Promise<Record<OwnerState, OwnerReference[]>> {
    const yielder = new CooperativeYield();
    const byState: Record<OwnerState, OwnerReference[]> = {
      there: [],
      absent: [],
      leaving: [],
      outOfReach: [],
      unknown: [],
    };
    for (const owner of owners) {
      await yielder.next();
      byState[this.stateOf(namespace, owner)].push(owner);
    }
    return byState;
  }

  /** Returns undefined for kinds that this server does not store or that cannot be read. */
  kindOf({ apiVersion, kind }: OwnerReference): ServedResource | undefined {
    return this.#aggregatedApis.serves(apiVersion) ? undefined : this.#kinds.find(apiVersion, kind);
  }

  recordDeletion(uid: string, namespace: string): void {
    this.#deletedOwners.set(uid, namespace);
  }

  clear(): void {
    this.#deletedOwners.clear();
  }

  stateOf(namespace: string, owner: OwnerReference): OwnerState {
    const kind = this.kindOf(owner);
    if (!kind) {
      const deletedIn = this.#deletedOwners.get(owner.uid);
      return deletedIn === '' || deletedIn === namespace ? 'absent' : 'unknown';
    }
    if (kind.definition.namespaced && namespace === '') return 'outOfReach';
    const stored = this.#monitor.get(kind.key(namespace, owner.name));
    if (!stored || uidOf(stored) !== owner.uid) return 'absent';
    return isWaitingForDependents(stored) ? 'leaving' : 'there';
  }
}

/** Served kinds by apiVersion and kind. */
class KindIndex {
  readonly #registry: Registry;
  #indexedResources: Registry['resources'] | undefined;
  readonly #byName = new Map<string, ServedResource>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  find(apiVersion: string, kind: string): ServedResource | undefined {
    if (this.#indexedResources !== this.#registry.resources) this.#rebuild(this.#registry.resources);
    return this.#byName.get(`${apiVersion} ${kind}`);
  }

  #rebuild(resources: Registry['resources']): void {
    this.#indexedResources = resources;
    this.#byName.clear();
    for (const resource of resources) {
      const { definition, apiVersion, kind } = resource;
      if (definition.virtual || !definition.verbs.includes('get')) continue;
      this.#byName.set(`${apiVersion} ${kind}`, resource);
    }
  }
}

const deletionTimestampJson = Buffer.from('"deletionTimestamp":"');

/** The metadata of an object that is being deleted; undefined for others. */
export function deletingMetadata(stored: MonitoredObject): ObjectMetadata | undefined {
  if (!stored.json.includes(deletionTimestampJson)) return undefined;
  const metadata = tryReadMetadata(stored);
  return metadata?.deletionTimestamp ? metadata : undefined;
}

export const isWaitingForDependents = (stored: MonitoredObject) =>
  deletingMetadata(stored)?.finalizers?.includes(foregroundFinalizer) ?? false;
