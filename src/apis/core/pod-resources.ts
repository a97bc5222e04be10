// Pod: aggregates requests and limits over containers, and defaults pod-level resources.
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import { addQuantities, compareQuantities, type Quantity } from '../../schema/quantity.ts';
import type { Container } from './container.ts';
import type { PodSpec } from './pod-spec.ts';
import { isHugePages, mustParseQuantity, type ResourceList } from './resource-list.ts';

export type ResourceQuantities = Map<string, Quantity>;

/** Resources that pod-level `resources` support: cpu, memory and huge pages. */
export function isPodLevelResource(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || isHugePages(resource);
}

/** A restartable init container (sidecar). */
export const isSidecar = ({ restartPolicy }: Container) => restartPolicy === 'Always';

/**
 * Peak requests or limits of the containers: the maximum of all regular containers with the sidecars, and of each
 * init container with the sidecars started before it. `quantitiesOf` reads the quantities of a container, by default
 * its spec's.
 */
export function aggregateContainerResources(
  spec: PodSpec,
  field: 'requests' | 'limits',
  quantitiesOf: (container: Container) => ResourceQuantities = (container) =>
    parseResourceList(container.resources[field]),
): ResourceQuantities {
  const total: ResourceQuantities = new Map();
  for (const container of spec.containers ?? []) add(total, quantitiesOf(container));
  const sidecars: ResourceQuantities = new Map();
  /** The most that is in use at once while the init containers run. */
  const initPeak: ResourceQuantities = new Map();
  for (const container of spec.initContainers ?? []) {
    const quantities = new Map(quantitiesOf(container));
    if (isSidecar(container)) {
      add(total, quantities);
      add(sidecars, quantities);
      raiseToMax(initPeak, sidecars);
    } else {
      add(quantities, sidecars);
      raiseToMax(initPeak, quantities);
    }
  }
  raiseToMax(total, initPeak);
  return total;
}

/** As aggregateContainerResources, but pod-level resources override the aggregate. */
export function aggregatePodResources(
  spec: PodSpec,
  field: 'requests' | 'limits',
  quantitiesOf?: (container: Container) => ResourceQuantities,
): ResourceQuantities {
  const total = aggregateContainerResources(spec, field, quantitiesOf);
  for (const [name, text] of Object.entries(spec.resources?.[field] ?? {})) {
    if (isPodLevelResource(name)) total.set(name, mustParseQuantity(text));
  }
  return total;
}

export function parseResourceList(list: ResourceList = {}): ResourceQuantities {
  return new Map(Object.entries(list).map(([name, text]) => [name, mustParseQuantity(text)]));
}

function add(total: ResourceQuantities, added: ResourceQuantities): void {
  for (const [name, amount] of added) {
    const current = total.get(name);
    total.set(name, current ? addQuantities(current, amount) : amount);
  }
}

/** Raises each quantity of `quantities` to at least that of `minimum`. */
export function raiseToMax(quantities: ResourceQuantities, minimum: ResourceQuantities): void {
  for (const [name, amount] of minimum) {
    const current = quantities.get(name);
    if (!current || compareQuantities(current, amount) < 0) quantities.set(name, amount);
  }
}

/** Defaults each missing request to the limit of the same resource. */
export function defaultRequestsToLimits({ resources }: Container): void {
  if (!resources.limits) return;
  resources.requests = Object.assign(nullPrototypeObject<string>(), resources.limits, resources.requests);
}

/**
 * Defaults pod-level resources: requests to those of the containers, then to the pod-level limits; limits of huge
 * pages to those of the containers. Without any limit, nothing is defaulted.
 */
export function defaultPodLevelResources(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources || isEmpty({ ...resources.limits, ...resources.requests })) return;
  const limits = Object.assign(nullPrototypeObject<string>(), resources.limits);
  for (const [name, amount] of aggregateContainerResources(spec, 'limits')) {
    if (isHugePages(name)) limits[name] ??= amount.text;
  }
  if (isEmpty(limits)) return;
  const requests = Object.assign(nullPrototypeObject<string>(), resources.requests);
  for (const [name, amount] of aggregateContainerResources(spec, 'requests')) {
    if (isPodLevelResource(name) && !isHugePages(name)) requests[name] ??= amount.text;
  }
  for (const [name, text] of Object.entries(limits)) {
    if (isPodLevelResource(name)) requests[name] ??= text;
  }
  resources.limits = limits;
  if (!isEmpty(requests)) resources.requests = requests;
}

const isEmpty = (amounts: Readonly<Record<string, string>>) => Object.keys(amounts).length === 0;
