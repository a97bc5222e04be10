// ResourceQuota: recalculates the usage of the quotas of a namespace from stored objects.
import type { ApiObject } from '../../../kind/api-object.ts';
import type { ServedResource } from '../../../kind/registry.ts';
import { decodeLazily } from '../../../kind/storage/codec.ts';
import { Unreadable } from '../../../kind/storage/unreadable.ts';
import { addQuantities, type Quantity } from '../../../schema/quantity.ts';
import type { StoredObject, View } from '../../../store/store.ts';
import type { Entry } from './book.ts';
import type { Charge } from './charge.ts';
import { isInScope } from './check.ts';
import type { Evaluator } from './evaluator.ts';
import { counted, type Usage } from './usage.ts';

const atOnce = 200;

interface Tally {
  readonly entry: Entry;
  readonly names: ReadonlySet<string>;
  readonly used: Map<string, Quantity>;
}

export interface Countable {
  readonly resource: ServedResource;
  readonly evaluator: Evaluator;
}

/**
 * Calculates the usage of each quota from the objects of its namespace and the requests in flight, yielding between batches.
 * Resource names without an evaluator are left out.
 */
export async function recount(
  view: View,
  namespace: string,
  entries: readonly Entry[],
  countables: readonly Countable[],
  underWay: readonly Charge[],
  now: number,
): Promise<ReadonlyMap<string, Usage>> {
  const tallies = entries.map((entry) => tallyFor(entry, countables));
  for (const { evaluator, object, increase } of underWay) addTo(tallies, evaluator, object, increase);
  for (const { resource, evaluator } of countables) {
    const concerned = tallies.filter(({ names }) => [...names].some((name) => evaluator.counts(name)));
    if (concerned.length === 0) continue;
    const place = `${resource.prefix}/${namespace}/`;
    if (evaluator.isUniform) {
      let count = 0;
      for (const _ of view.keys(place)) count++;
      const names = [...evaluator.usage(resource.blank, now).keys()];
      addTo(concerned, evaluator, resource.blank, new Map(names.map((name) => [name, counted(count)])));
      continue;
    }
    let seen = 0;
    for (const stored of view.range(place)) {
      const object = read(resource, stored);
      if (object) addTo(concerned, evaluator, object, evaluator.usage(object, now));
      if (++seen % atOnce === 0) await breath();
    }
  }
  return new Map(tallies.map(({ entry, used }) => [entry.key, used]));
}

function tallyFor(entry: Entry, countables: readonly Countable[]): Tally {
  const names = Object.keys(entry.quota.spec.hard ?? {}).filter((name) =>
    countables.some(({ evaluator }) => evaluator.counts(name)),
  );
  return { entry, names: new Set(names), used: new Map(names.map((name) => [name, counted(0)])) };
}

function addTo(tallies: readonly Tally[], evaluator: Evaluator, object: ApiObject, usage: Usage): void {
  for (const { entry, names, used } of tallies) {
    if (!isInScope(entry.quota, evaluator, object)) continue;
    for (const [name, amount] of usage) {
      if (names.has(name)) used.set(name, addQuantities(used.get(name)!, amount));
    }
  }
}

/** Undefined for an undecodable object. */
function read(resource: ServedResource, stored: StoredObject): ApiObject | undefined {
  try {
    return decodeLazily(resource, stored);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

const breath = () => new Promise((resolve) => setImmediate(resolve));
