import { userKeyed } from '../../codec/json/json-value.ts';
import { addQuantities, compareQuantities, type Quantity } from '../../schema/quantity.ts';
import type { Container } from './container.ts';
import type { PodSpec } from './pod-spec.ts';
import { isHugePages, quantityOf, type ResourceList } from './resource-list.ts';

export type Amounts = Map<string, Quantity>;

/** What a pod as a whole can ask for; all else is asked for by its containers alone. */
export function isForWholePods(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || isHugePages(resource);
}

/** An init container that runs on beside the others. */
export const isSidecar = ({ restartPolicy }: Container) => restartPolicy === 'Always';

/**
 * What the containers need at the moment they need most: all of them together, or one init container and the
 * sidecars before it.
 */
export function containersTogether(
  spec: PodSpec,
  part: 'requests' | 'limits',
  needsOf: (container: Container) => Amounts = (container) => amountsIn(container.resources[part]),
): Amounts {
  const total: Amounts = new Map();
  for (const container of spec.containers ?? []) add(total, needsOf(container));
  const sidecars: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = new Map(needsOf(container));
    if (isSidecar(container)) {
      add(total, own);
      add(sidecars, own);
      raise(peak, sidecars);
    } else {
      add(own, sidecars);
      raise(peak, own);
    }
  }
  raise(total, peak);
  return total;
}

/** What the pod needs at that moment; where the pod as a whole says it, that counts. */
export function podTogether(
  spec: PodSpec,
  part: 'requests' | 'limits',
  needsOf?: (container: Container) => Amounts,
): Amounts {
  const total = containersTogether(spec, part, needsOf);
  for (const [name, text] of Object.entries(spec.resources?.[part] ?? {})) {
    if (isForWholePods(name)) total.set(name, quantityOf(text));
  }
  return total;
}

export function amountsIn(list: ResourceList = {}): Amounts {
  return new Map(Object.entries(list).map(([name, text]) => [name, quantityOf(text)]));
}

function add(total: Amounts, more: Amounts): void {
  for (const [name, amount] of more) {
    const before = total.get(name);
    total.set(name, before ? addQuantities(before, amount) : amount);
  }
}

/** Makes each amount at least what the other says. */
export function raise(peak: Amounts, to: Amounts): void {
  for (const [name, amount] of to) {
    const before = peak.get(name);
    if (!before || compareQuantities(before, amount) < 0) peak.set(name, amount);
  }
}

/** Whoever is limited and asks for nothing asks for as much as they are limited to. */
export function requestWhatIsLimited({ resources }: Container): void {
  if (!resources.limits) return;
  resources.requests = Object.assign(userKeyed<string>(), resources.limits, resources.requests);
}

/** What a pod as a whole asks for, where it says only a part of it. */
export function completePodResources(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources || isEmpty({ ...resources.limits, ...resources.requests })) return;
  const limits = Object.assign(userKeyed<string>(), resources.limits);
  for (const [name, amount] of containersTogether(spec, 'limits')) {
    if (isHugePages(name)) limits[name] ??= amount.text;
  }
  if (isEmpty(limits)) return;
  const requests = Object.assign(userKeyed<string>(), resources.requests);
  for (const [name, amount] of containersTogether(spec, 'requests')) {
    if (isForWholePods(name) && !isHugePages(name)) requests[name] ??= amount.text;
  }
  for (const [name, text] of Object.entries(limits)) {
    if (isForWholePods(name)) requests[name] ??= text;
  }
  resources.limits = limits;
  if (!isEmpty(requests)) resources.requests = requests;
}

const isEmpty = (amounts: Readonly<Record<string, string>>) => Object.keys(amounts).length === 0;
