// Pod: the requests or limits that count for quotas and scheduling, with overhead and during a resize.
import { addQuantities, type Quantity } from '../../schema/quantity.ts';
import type { Container } from './container.ts';
import type { Pod } from './pod.ts';
import {
  aggregatePodResources,
  isSidecar,
  parseResourceList,
  type ResourceQuantities,
  raiseToMax,
} from './pod-resources.ts';
import type { ResourceList } from './resource-list.ts';

/**
 * The requests or limits of a pod, with its overhead. During a resize a container counts with the largest of its desired,
 * allocated and actual resources; the desired ones of an infeasible resize do not count. `complete` may add resources that a
 * container does not mention.
 */
export function effectivePodResources(
  { spec, status }: Pick<Pod, 'spec'> & Partial<Pick<Pod, 'status'>>,
  field: 'requests' | 'limits',
  complete: (quantities: ResourceQuantities) => void = () => {},
): ResourceQuantities {
  const isInfeasible = status?.conditions?.some(
    ({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible',
  );
  const statuses = new Map(
    [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].map(
      (containerStatus) => [containerStatus.name, containerStatus],
    ),
  );
  const quantitiesOf = (container: Container) => {
    const desired = parseResourceList(container.resources?.[field]);
    // Init containers cannot be resized, unless they are sidecars.
    const isOneShot = spec.initContainers?.includes(container) && !isSidecar(container);
    const containerStatus = isOneShot ? undefined : statuses.get(container.name);
    if (!containerStatus?.resources) return desired;
    const largest = parseResourceList(containerStatus.resources[field]);
    if (field === 'requests') raiseToMax(largest, parseResourceList(containerStatus.allocatedResources));
    if (!isInfeasible) raiseToMax(largest, desired);
    return largest;
  };
  const total = aggregatePodResources(spec, field, (container) => {
    const quantities = quantitiesOf(container);
    complete(quantities);
    return quantities;
  });
  addOverhead(total, spec.overhead, field);
  return total;
}

/** Pod overhead is added to every request, and to limits only where a container sets one. */
function addOverhead(
  total: ResourceQuantities,
  overhead: ResourceList | undefined,
  field: 'requests' | 'limits',
): void {
  for (const [name, amount] of parseResourceList(overhead)) {
    const sum: Quantity | undefined = total.get(name);
    if (sum) total.set(name, addQuantities(sum, amount));
    else if (field === 'requests') total.set(name, amount);
  }
}
