// ResourceQuota: calculates status.used of the quotas of a namespace from scratch. The quota controller runs it.
import type { ApiObject } from '../../../kind/api-object.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import { decodeLazily } from '../../../kind/storage/codec.ts';
import { Unreadable } from '../../../kind/storage/unreadable.ts';
import { addQuantities, type Quantity } from '../../../schema/quantity.ts';
import type { StoredObject, View } from '../../../store/store.ts';
import type { Charge } from './charge.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import type { StoredQuota } from './quota-accessor.ts';
import { isInScope } from './quota-account.ts';
import { countQuantity, type Usage } from './usage.ts';

/** Objects evaluated before the event loop gets a turn. */
const objectsPerYield = 200;

/** A quota, its resource names that have an evaluator, and the usage counted so far. */
interface UsageTally {
  readonly entry: StoredQuota;
  readonly names: ReadonlySet<string>;
  readonly used: Map<string, Quantity>;
}

export interface EvaluatedResource {
  readonly resource: ServedResource;
  readonly evaluator: QuotaEvaluator;
}

/**
 * Calculates the usage of each quota, by its key, from the objects of its namespace (`view`: the store at one revision)
 * and the requests in flight. It yields between batches. Resource names without an evaluator are left out.
 */
export async function calculateUsage(
  view: View,
  namespace: string,
  entries: readonly StoredQuota[],
  resources: readonly EvaluatedResource[],
  inFlight: readonly Charge[],
  now: number,
): Promise<ReadonlyMap<string, Usage>> {
  const tallies = entries.map((entry) => tallyFor(entry, resources));
  for (const { evaluator, object, increase } of inFlight) addTo(tallies, evaluator, object, increase);
  for (const { resource, evaluator } of resources) {
    const applicable = tallies.filter(({ names }) => [...names].some((name) => evaluator.counts(name)));
    if (applicable.length === 0) continue;
    const prefix = `${resource.prefix}/${namespace}/`;
    if (evaluator.isUniform) {
      // All objects have the usage of an empty object (`blank`), so their keys are counted and nothing is decoded.
      let count = 0;
      for (const _ of view.keys(prefix)) count++;
      const names = [...evaluator.usage(resource.blank, now).keys()];
      const usage = new Map(names.map((name) => [name, countQuantity(count)]));
      addTo(applicable, evaluator, resource.blank, usage);
      continue;
    }
    let visited = 0;
    for (const stored of view.range(prefix)) {
      const object = decode(resource, stored);
      if (object) addTo(applicable, evaluator, object, evaluator.usage(object, now));
      if (++visited % objectsPerYield === 0) await yieldToEventLoop();
    }
  }
  return new Map(tallies.map(({ entry, used }) => [entry.key, used]));
}

/** Starts at zero for each resource name that has an evaluator. */
function tallyFor(entry: StoredQuota, resources: readonly EvaluatedResource[]): UsageTally {
  const names = Object.keys(entry.quota.spec.hard ?? {}).filter((name) =>
    resources.some(({ evaluator }) => evaluator.counts(name)),
  );
  return { entry, names: new Set(names), used: new Map(names.map((name) => [name, countQuantity(0)])) };
}

/** Adds the usage of an object to the quotas whose scopes it matches. */
function addTo(
  tallies: readonly UsageTally[],
  evaluator: QuotaEvaluator,
  object: ApiObject,
  usage: Usage,
): void {
  for (const { entry, names, used } of tallies) {
    if (!isInScope(entry.quota, evaluator, object)) continue;
    for (const [name, amount] of usage) {
      if (names.has(name)) used.set(name, addQuantities(used.get(name)!, amount));
    }
  }
}

/** Undefined for an undecodable object. */
function decode(resource: ServedResource, stored: StoredObject): ApiObject | undefined {
  try {
    return decodeLazily(resource, stored);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));
