// Pod: computes the QoS class.
import { compareQuantities } from '../../schema/quantity.ts';
import type { PodSpec } from './pod-spec.ts';
import { mustParseQuantity, type ResourceList } from './resource-list.ts';
import type { ResourceRequirements } from './resource-requirements.ts';

/** Quality of service: the kubelet evicts BestEffort pods first and Guaranteed pods last. */
export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const qosResources = ['cpu', 'memory'];

/** Guaranteed: cpu and memory limits everywhere, with equal requests. BestEffort: no requests or limits. Burstable otherwise. */
export function qosClassOf({ resources, initContainers = [], containers = [] }: PodSpec): QosClass {
  const requirements = resources
    ? [resources]
    : [...initContainers, ...containers].map((container) => container.resources);
  const hasRequestsOrLimits = requirements.some(
    ({ requests, limits }) => qosResourcesIn(requests).length + qosResourcesIn(limits).length > 0,
  );
  if (!hasRequestsOrLimits) return 'BestEffort';
  return requirements.every(isGuaranteed) && requestsEqualLimits(requirements) ? 'Guaranteed' : 'Burstable';
}

/** The compute resources (cpu, memory) with a quantity above zero. */
function qosResourcesIn(amounts: ResourceList = {}): string[] {
  return qosResources.filter(
    (name) => amounts[name] !== undefined && mustParseQuantity(amounts[name]).amount > 0n,
  );
}

function isGuaranteed({ limits }: ResourceRequirements): boolean {
  return qosResourcesIn(limits).length === qosResources.length;
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
