// ResourceQuota: arithmetic on usage, quantities by resource name.
import { parseResourceList } from '../../../apis/core/pod-resources.ts';
import { nullPrototypeObject } from '../../../codec/json/json-value.ts';
import { addQuantities, type Quantity, subtractQuantities } from '../../../schema/quantity.ts';

/** How much of what: by the names that quotas limit. */
export type Usage = ReadonlyMap<string, Quantity>;

type List = Readonly<Record<string, string>>;

export const usageIn = (list: List | undefined): Usage => parseResourceList(list);

/** As objects hold it. */
export function listOf(usage: Usage): Record<string, string> {
  const list = nullPrototypeObject<string>();
  for (const name of [...usage.keys()].sort()) list[name] = usage.get(name)!.text;
  return list;
}

export function plus(one: Usage, other: Usage): Usage {
  const sum = new Map(one);
  for (const [name, amount] of other) sum.set(name, addQuantities(sum.get(name) ?? zero, amount));
  return sum;
}

export function minus(one: Usage, other: Usage): Usage {
  const difference = new Map(one);
  for (const [name, amount] of other) {
    difference.set(name, subtractQuantities(difference.get(name) ?? zero, amount));
  }
  return difference;
}

/** Of each the one that is more. */
export function larger(one: Usage, other: Usage): Usage {
  const difference = minus(one, other);
  return new Map(
    [...one].map(([name, amount]) => [name, difference.get(name)!.amount < 0n ? other.get(name)! : amount]),
  );
}

/** The part of it that is wanted. */
export const partOf = (usage: Usage, isWanted: (name: string, amount: Quantity) => boolean): Usage =>
  new Map([...usage].filter(([name, amount]) => isWanted(name, amount)));

/** How much is used of each of these, and never less than nothing. */
export const ofEach = (names: Iterable<string>, usage: Usage): Usage =>
  new Map(
    Array.from(names, (name) => {
      const amount = usage.get(name) ?? zero;
      return [name, amount.amount < 0n ? zero : amount];
    }),
  );

export const counted = (count: number): Quantity => ({
  amount: BigInt(count),
  scale: 0,
  format: 'DecimalSI',
  text: String(count),
});

const zero = counted(0);
