// NodeResourcesFit and NodeResourcesBalancedAllocation: requests of the pod against allocatable resources of the node.
import type { NodeInfo } from '../cache/node-info.ts';
import type { ResourceAmounts } from '../resources.ts';
import { type FilterPlugin, maxNodeScore, type Rejection, type ScorePlugin } from './plugin.ts';

/** Extended resources that the filter does not check, by name and by domain. */
export interface IgnoredResources {
  readonly ignoredResources: readonly string[];
  readonly ignoredResourceGroups: readonly string[];
}

export function nodeResourcesFitFilter(ignored: IgnoredResources): FilterPlugin {
  if (ignored.ignoredResources.length === 0 && ignored.ignoredResourceGroups.length === 0)
    return nodeResourcesFit;
  const names = new Set(ignored.ignoredResources);
  const groups = new Set(ignored.ignoredResourceGroups);
  const isChecked = (name: string) => !names.has(name) && !groups.has(name.split('/')[0]!);
  return {
    name: 'NodeResourcesFit',
    prepare({ requests }) {
      const scalars = new Map([...requests.scalars].filter(([name]) => isChecked(name)));
      const checked = { ...requests, scalars };
      return { check: (node) => checkResources(checked, node) };
    },
  };
}

export const nodeResourcesFit: FilterPlugin = {
  name: 'NodeResourcesFit',
  prepare: ({ requests }) => ({ check: (node) => checkResources(requests, node) }),
};

/** Rejects a node with a reason for each resource that does not suffice. */
function checkResources(requests: ResourceAmounts, node: NodeInfo): Rejection | undefined {
  const { allocatable, requested, pods, allowedPods } = node;
  if (pods.size < allowedPods && fits(requests, allocatable, requested)) return undefined;
  const reasons: string[] = [];
  if (pods.size + 1 > allowedPods) reasons.push('Too many pods');
  const check = (name: string, request: number, capacity: number, used: number) => {
    if (request > 0 && request > capacity - used) reasons.push(`Insufficient ${name}`);
  };
  check('cpu', requests.milliCpu, allocatable.milliCpu, requested.milliCpu);
  check('memory', requests.memory, allocatable.memory, requested.memory);
  check(
    'ephemeral-storage',
    requests.ephemeralStorage,
    allocatable.ephemeralStorage,
    requested.ephemeralStorage,
  );
  for (const [name, request] of requests.scalars) {
    check(name, request, allocatable.scalars.get(name) ?? 0, requested.scalars.get(name) ?? 0);
  }
  return reasons.length > 0 ? { plugin: 'NodeResourcesFit', reasons, isUnresolvable: false } : undefined;
}

/** Most nodes fit, or there are many: this runs for each, and the reasons are collected only if it returns false. */
const fits = (requests: ResourceAmounts, allocatable: ResourceAmounts, requested: ResourceAmounts) =>
  requests.scalars.size === 0 &&
  requests.milliCpu <= allocatable.milliCpu - requested.milliCpu &&
  requests.memory <= allocatable.memory - requested.memory &&
  requests.ephemeralStorage <= allocatable.ephemeralStorage - requested.ephemeralStorage;

/** LeastAllocated: prefers nodes with the largest share of free CPU and memory. */
export const scoreLeastAllocated: ScorePlugin = ({ nonZeroRequests }, nodes) =>
  nodes.map(({ allocatable, nonZeroRequested }) => {
    const { milliCpu, memory } = allocatable;
    const cpuScore = freeShare(nonZeroRequested.milliCpu + nonZeroRequests.milliCpu, milliCpu);
    const memoryScore = freeShare(nonZeroRequested.memory + nonZeroRequests.memory, memory);
    if (milliCpu === 0) return memoryScore;
    return memory === 0 ? cpuScore : Math.trunc((cpuScore + memoryScore) / 2);
  });

const freeShare = (requested: number, capacity: number) =>
  requested > capacity || capacity === 0 ? 0 : Math.trunc(((capacity - requested) * maxNodeScore) / capacity);

/** Prefers nodes whose CPU and memory would be used to a similar share. Pods without requests have no preference. */
export const scoreBalancedAllocation: ScorePlugin = ({ requests }, nodes) => {
  if (requests.milliCpu === 0 && requests.memory === 0) return undefined;
  return nodes.map(({ allocatable, requested }) => {
    if (allocatable.milliCpu === 0 || allocatable.memory === 0) return maxNodeScore;
    const cpuShare = Math.min(1, (requested.milliCpu + requests.milliCpu) / allocatable.milliCpu);
    const memoryShare = Math.min(1, (requested.memory + requests.memory) / allocatable.memory);
    // The standard deviation of two numbers.
    const deviation = Math.abs(cpuShare - memoryShare) / 2;
    return Math.trunc((1 - deviation) * maxNodeScore);
  });
};
