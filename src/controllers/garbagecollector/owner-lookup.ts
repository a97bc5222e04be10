import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { RecentlyUsed } from '../../base/recently-used.ts';
import type { ObjectMeta, OwnerReference } from '../../kind/api-object.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import { storedMetadata } from '../../kind/storage/stored-metadata.ts';
import type { Api } from '../../registry/api.ts';
import { foreground } from '../../registry/verbs/delete.ts';
import type { StoredObject } from '../../store/store.ts';
import type { AggregatedApis } from '../runtime/aggregated-apis.ts';
import { uidOf } from './owner-references.ts';

/**
 * How an object stands to one that it names as its owner.
 * - `there`: it is, and keeps what depends on it.
 * - `absent`: it is not, or another has its name.
 * - `leaving`: it goes, once what depends on it has.
 * - `outOfReach`: what is in no namespace cannot depend on what is in one.
 * - `unknown`: nobody here knows its kind, or another server keeps it, so nobody knows whether it is there.
 */
export type OwnerState = 'there' | 'absent' | 'leaving' | 'outOfReach' | 'unknown';

const remembered = 4096;

/** Finds the owners that objects name. */
export class OwnerLookup {
  readonly #api: Api;
  readonly #aggregatedApis: AggregatedApis;
  readonly #kinds: Kinds;
  /** The uids and namespaces of some that have gone: of a kind that has gone with them nothing else can be told. */
  readonly #gone = new RecentlyUsed<string>(remembered);

  constructor(api: Api, aggregatedApis: AggregatedApis) {
    this.#api = api;
    this.#aggregatedApis = aggregatedApis;
    this.#kinds = new Kinds(api.registry);
  }

  /** Sorts the owners that an object in a namespace ('': in none) names by how it stands to them, in turns. */
  async classify(
    namespace: string,
    owners: readonly OwnerReference[],
  ): Promise<Record<OwnerState, OwnerReference[]>> {
    const turns = new CooperativeYield();
    const sorted: Record<OwnerState, OwnerReference[]> = {
      there: [],
      absent: [],
      leaving: [],
      outOfReach: [],
      unknown: [],
    };
    for (const owner of owners) {
      await turns.next();
      sorted[this.stateOf(namespace, owner)].push(owner);
    }
    return sorted;
  }

  /** The kind that an owner is of; undefined where it is none of ours, or has no objects that could own anything. */
  kindOf({ apiVersion, kind }: OwnerReference): ServedResource | undefined {
    return this.#aggregatedApis.serves(apiVersion) ? undefined : this.#kinds.find(apiVersion, kind);
  }

  recordDeletion(uid: string, namespace: string): void {
    this.#gone.set(uid, namespace);
  }

  clear(): void {
    this.#gone.clear();
  }

  stateOf(namespace: string, owner: OwnerReference): OwnerState {
    const kind = this.kindOf(owner);
    if (!kind) {
      const was = this.#gone.get(owner.uid);
      return was === '' || was === namespace ? 'absent' : 'unknown';
    }
    if (kind.definition.namespaced && namespace === '') return 'outOfReach';
    const stored = this.#api.store.get(kind.key(namespace, owner.name));
    if (!stored || uidOf(stored) !== owner.uid) return 'absent';
    return isWaitingForDependents(stored) ? 'leaving' : 'there';
  }
}

/** Kinds by the names that owner references have for them. */
class Kinds {
  readonly #registry: Registry;
  #from: Registry['resources'] | undefined;
  readonly #byName = new Map<string, ServedResource>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  find(apiVersion: string, kind: string): ServedResource | undefined {
    if (this.#from !== this.#registry.resources) this.#learn(this.#registry.resources);
    return this.#byName.get(`${apiVersion} ${kind}`);
  }

  #learn(resources: Registry['resources']): void {
    this.#from = resources;
    this.#byName.clear();
    for (const resource of resources) {
      const { definition, apiVersion, kind } = resource;
      if (definition.virtual || !definition.verbs.includes('get')) continue;
      this.#byName.set(`${apiVersion} ${kind}`, resource);
    }
  }
}

const mark = Buffer.from('"deletionTimestamp":"');

/** The metadata of an object that has been told to go, undefined for all others. */
export function deletingMetadata(stored: StoredObject): ObjectMeta | undefined {
  if (!stored.json.includes(mark)) return undefined;
  const metadata = storedMetadata(stored);
  return metadata?.deletionTimestamp ? metadata : undefined;
}

export const isWaitingForDependents = (stored: StoredObject) =>
  deletingMetadata(stored)?.finalizers?.includes(foreground) ?? false;
