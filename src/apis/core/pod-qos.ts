// Pod: computes the QoS class.
import { compareQuantities } from '../../schema/quantity.ts';
import type { PodSpec } from './pod-spec.ts';
import { mustParseQuantity, type ResourceList } from './resource-list.ts';
import type { ResourceRequirements } from './resource-requirements.ts';

/** Quality of service: the kubelet evicts BestEffort pods first and Guaranteed pods last. */
export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const qosResources = ['cpu', 'memory'];

/**
 * Guaranteed: cpu and memory limits everywhere, with equal requests. BestEffort: no requests or limits. Burstable
 * otherwise.
 */
export function computeQosClass({ resources, initContainers = [], containers = [] }: PodSpec): QosClass {
  // Pod-level resources, if set, decide alone.
  const requirements = resources
    ? [resources]
    : [...initContainers, ...containers].map((container) => container.resources);
  const hasRequestsOrLimits = requirements.some(
    ({ requests, limits }) => nonZeroQosResources(requests).length + nonZeroQosResources(limits).length > 0,
  );
  if (!hasRequestsOrLimits) return 'BestEffort';
  return requirements.every(hasAllLimits) && requestsEqualLimits(requirements) ? 'Guaranteed' : 'Burstable';
}

/** The names of the QoS resources (cpu, memory) with a quantity above zero. */
function nonZeroQosResources(amounts: ResourceList = {}): string[] {
  return qosResources.filter(
    (name) => amounts[name] !== undefined && mustParseQuantity(amounts[name]).amount > 0n,
  );
}

function hasAllLimits({ limits }: ResourceRequirements): boolean {
  return nonZeroQosResources(limits).length === qosResources.length;
}

function requestsEqualLimits(requirements: readonly ResourceRequirements[]): boolean {
  return requirements.every(({ requests = {}, limits = {} }) =>
    qosResources.every((name) => {
      const [request, limit] = [requests[name], limits[name]];
      if (request === undefined || limit === undefined) return request === limit;
      return compareQuantities(mustParseQuantity(request), mustParseQuantity(limit)) === 0;
    }),
  );
}
