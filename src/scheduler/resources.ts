// Resources of pods and nodes as numbers, upstream's framework.Resource.
import type { Pod } from '../apis/core/pod.ts';
import { effectivePodResources } from '../apis/core/pod-effective-resources.ts';
import { parseResourceList, type ResourceQuantities } from '../apis/core/pod-resources.ts';
import { mustParseQuantity, type ResourceList } from '../apis/core/resource-list.ts';
import { type Quantity, quantityToNumber } from '../schema/quantity.ts';

export interface ResourceAmounts {
  milliCpu: number;
  /** Bytes. */
  memory: number;
  /** Bytes. */
  ephemeralStorage: number;
  /** Extended resources, huge pages and others by name. */
  readonly scalars: Map<string, number>;
}

/** CPU and memory alone: the score plugins see defaults for containers that request neither. */
export interface NonZeroRequests {
  milliCpu: number;
  memory: number;
}

/** The requests that a container without any counts with in the score of a node. */
const defaultRequests: readonly (readonly [string, Quantity])[] = [
  ['cpu', mustParseQuantity('100m')],
  ['memory', mustParseQuantity('200Mi')],
];

export const noResources = (): ResourceAmounts => ({
  milliCpu: 0,
  memory: 0,
  ephemeralStorage: 0,
  scalars: new Map(),
});

export const podRequests = (pod: Pick<Pod, 'spec'> & Partial<Pick<Pod, 'status'>>) =>
  toResources(effectivePodResources(pod, 'requests'));

export function podNonZeroRequests(pod: Pick<Pod, 'spec'> & Partial<Pick<Pod, 'status'>>): NonZeroRequests {
  const quantities = effectivePodResources(pod, 'requests', (container) => {
    for (const [name, amount] of defaultRequests) if (!container.has(name)) container.set(name, amount);
  });
  const { milliCpu, memory } = toResources(quantities);
  return { milliCpu, memory };
}

/** The allocatable resources of a node, and the number of pods among them. */
export function allocatableResources(list: ResourceList | undefined): {
  readonly resources: ResourceAmounts;
  readonly pods: number;
} {
  const quantities = parseResourceList(list);
  const pods = quantities.get('pods');
  return { resources: toResources(quantities), pods: pods ? wholeNumber(pods) : 0 };
}

function toResources(quantities: ResourceQuantities): ResourceAmounts {
  const resources = noResources();
  for (const [name, quantity] of quantities) {
    if (name === 'cpu') resources.milliCpu = Math.ceil(toMilli(quantity));
    else if (name === 'memory') resources.memory = wholeNumber(quantity);
    else if (name === 'ephemeral-storage') resources.ephemeralStorage = wholeNumber(quantity);
    else if (name !== 'pods') resources.scalars.set(name, wholeNumber(quantity));
  }
  return resources;
}

/** Rounded up, as Quantity.Value(). */
const wholeNumber = (quantity: Quantity) => Math.ceil(quantityToNumber(quantity));
const toMilli = (quantity: Quantity) => quantityToNumber({ ...quantity, scale: quantity.scale + 3 });

/** Adds `sign` times the resources `added` to `total`. */
export function changeResources(total: ResourceAmounts, added: ResourceAmounts, sign: 1 | -1): void {
  total.milliCpu += sign * added.milliCpu;
  total.memory += sign * added.memory;
  total.ephemeralStorage += sign * added.ephemeralStorage;
  for (const [name, amount] of added.scalars) {
    total.scalars.set(name, (total.scalars.get(name) ?? 0) + sign * amount);
  }
}

export const copyResources = (resources: ResourceAmounts): ResourceAmounts => ({
  ...resources,
  scalars: new Map(resources.scalars),
});
