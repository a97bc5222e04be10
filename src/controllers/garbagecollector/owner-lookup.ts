// garbage-collector-controller: looks up the owners of an object and classifies them, as upstream's classifyReferences does.
import type { CooperativeYield } from '../../base/cooperative-yield.ts';
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
 * - `solid`: it exists.
 * - `dangling`: it does not exist, or another object has its name.
 * - `waitingForDependents`: it is being deleted in the foreground.
 * - `invalidScope`: it is namespaced, but its dependent is cluster-scoped.
 * - `unknown`: the kind is not served, or served by an aggregated API server.
 */
export type OwnerState = 'solid' | 'dangling' | 'waitingForDependents' | 'invalidScope' | 'unknown';

const maxDeletedOwners = 4096;

export class OwnerLookup {
  readonly #monitor: ResourceMonitor;
  readonly #aggregatedApis: AggregatedApis;
  readonly #kinds: KindIndex;
  /** Namespaces of recently deleted owners by uid, for kinds that were removed together with their objects. */
  readonly #deletedOwners = new LruCache<string>({ maxWeight: maxDeletedOwners });

  constructor(monitor: ResourceMonitor, kinds: Registry, aggregatedApis: AggregatedApis) {
    this.#monitor = monitor;
    this.#aggregatedApis = aggregatedApis;
    this.#kinds = new KindIndex(kinds);
  }

  /** Groups owners by their state. `namespace` is '' for a cluster-scoped dependent. */
  async classify(
    namespace: string,
    owners: readonly OwnerReference[],
    yielder: CooperativeYield,
  ): Promise<Record<OwnerState, OwnerReference[]>> {
    const byState: Record<OwnerState, OwnerReference[]> = {
      solid: [],
      dangling: [],
      waitingForDependents: [],
      invalidScope: [],
      unknown: [],
    };
    for (const owner of owners) {
      await yielder.next();
      byState[this.stateOf(namespace, owner)].push(owner);
    }
    return byState;
  }

  /** Returns undefined for kinds that this server does not store or that cannot be read. */
  findKind({ apiVersion, kind }: OwnerReference): ServedResource | undefined {
    return this.#aggregatedApis.serves(apiVersion) ? undefined : this.#kinds.find(apiVersion, kind);
  }

  /** Remembers an owner after its deletion, for `stateOf`. */
  recordDeletion(uid: string, namespace: string): void {
    this.#deletedOwners.set(uid, namespace);
  }

  clear(): void {
    this.#deletedOwners.clear();
  }

  stateOf(namespace: string, owner: OwnerReference): OwnerState {
    const kind = this.findKind(owner);
    if (!kind) {
      const deletedIn = this.#deletedOwners.get(owner.uid);
      return deletedIn === '' || deletedIn === namespace ? 'dangling' : 'unknown';
    }
    if (kind.definition.namespaced && namespace === '') return 'invalidScope';
    const stored = this.#monitor.get(kind.key(namespace, owner.name));
    if (!stored || uidOf(stored) !== owner.uid) return 'dangling';
    return isWaitingForDependents(stored) ? 'waitingForDependents' : 'solid';
  }
}

/** Served kinds by apiVersion and kind. It is rebuilt when the registry has a new list of resources. */
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
export function metadataIfTerminating(stored: MonitoredObject): ObjectMetadata | undefined {
  // Most objects are not being deleted, and need not be parsed.
  if (!stored.json.includes(deletionTimestampJson)) return undefined;
  const metadata = tryReadMetadata(stored);
  return metadata?.deletionTimestamp ? metadata : undefined;
}

export const isWaitingForDependents = (stored: MonitoredObject) =>
  metadataIfTerminating(stored)?.finalizers?.includes(foregroundFinalizer) ?? false;
