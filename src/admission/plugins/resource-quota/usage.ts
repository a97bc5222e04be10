// ResourceQuota: arithmetic on usage (quantities by resource name).
import { parseResourceList } from '../../../apis/core/pod-resources.ts';
import { nullPrototypeObject } from '../../../codec/json/json-value.ts';
import { addQuantities, type Quantity, subtractQuantities } from '../../../schema/quantity.ts';

/** Amounts by resource name, as in spec.hard. */
export type Usage = ReadonlyMap<string, Quantity>;

type ResourceListLike = Readonly<Record<string, string>>;

export const parseUsage = (list: ResourceListLike | undefined): Usage => parseResourceList(list);

/** The wire form, ordered by name. */
export function toResourceList(usage: Usage): Record<string, string> {
  const list = nullPrototypeObject<string>();
  for (const name of [...usage.keys()].sort()) list[name] = usage.get(name)!.text;
  return list;
}

export function addUsage(a: Usage, b: Usage): Usage {
  const sum = new Map(a);
  for (const [name, amount] of b) sum.set(name, addQuantities(sum.get(name) ?? zero, amount));
  return sum;
}

export function subtractUsage(a: Usage, b: Usage): Usage {
  const difference = new Map(a);
  for (const [name, amount] of b) {
    difference.set(name, subtractQuantities(difference.get(name) ?? zero, amount));
  }
  return difference;
}

/** For each resource name of `a`, the larger amount of `a` and `b`. */
export function maxUsage(a: Usage, b: Usage): Usage {
  const difference = subtractUsage(a, b);
  return new Map(
    [...a].map(([name, amount]) => [name, difference.get(name)!.amount < 0n ? b.get(name)! : amount]),
  );
}

export const filterUsage = (usage: Usage, isIncluded: (name: string, amount: Quantity) => boolean): Usage =>
  new Map([...usage].filter(([name, amount]) => isIncluded(name, amount)));

/** The amounts of these resource names, at least zero. */
export const nonNegativeUsage = (names: Iterable<string>, usage: Usage): Usage =>
  new Map(
    Array.from(names, (name) => {
      const amount = usage.get(name) ?? zero;
      return [name, amount.amount < 0n ? zero : amount];
    }),
  );

export const countQuantity = (count: number): Quantity => ({
  amount: BigInt(count),
  scale: 0,
  format: 'DecimalSI',
  text: String(count),
});

const zero = countQuantity(0);
