// NodeResourcesFit and NodeResourcesBalancedAllocation with configured resources: the scoring strategies LeastAllocated, MostAllocated and
// RequestedToCapacityRatio.
import type { NodeInfo } from '../cache/node-info.ts';
import type { PendingPod } from '../cache/pod-info.ts';
import { maxNodeScore, type ScorePlugin } from './plugin.ts';

export interface WeightedResource {
  readonly name: string;
  readonly weight: number;
}

/** A point of the function from utilization, 0 to 100, to a score of 0 to 10. */
export interface ShapePoint {
  readonly utilization: number;
  readonly score: number;
}

export type ScoringStrategy =
  | { readonly type: 'LeastAllocated' | 'MostAllocated'; readonly resources: readonly WeightedResource[] }
  | {
      readonly type: 'RequestedToCapacityRatio';
      readonly resources: readonly WeightedResource[];
      readonly shape: readonly ShapePoint[];
    };

/** Scores of the API have ten steps, those of nodes a hundred. */
const scoreScale = maxNodeScore / 10;

export function scoringStrategy(strategy: ScoringStrategy): ScorePlugin {
  const { resources } = strategy;
  const isRatio = strategy.type === 'RequestedToCapacityRatio';
  const score = resourceScore(strategy);
  return (pod, nodes) =>
    nodes.map((node) => {
      let sum = 0;
      let weights = 0;
      for (const { name, weight } of resources) {
        const amounts = amountsOf(name, pod, node, { countsDefaults: true });
        if (amounts.allocatable === 0) continue;
        const value = score(amounts.requested, amounts.allocatable);
        // Resources without a score do not count for a ratio.
        if (isRatio && value <= 0) continue;
        sum += value * weight;
        weights += weight;
      }
      if (weights === 0) return 0;
      return isRatio ? Math.round(sum / weights) : Math.trunc(sum / weights);
    });
}

function resourceScore(strategy: ScoringStrategy): (requested: number, allocatable: number) => number {
  switch (strategy.type) {
    case 'LeastAllocated':
      return (requested, allocatable) =>
        requested > allocatable ? 0 : Math.trunc(((allocatable - requested) * maxNodeScore) / allocatable);
    case 'MostAllocated':
      return (requested, allocatable) =>
        Math.trunc((Math.min(requested, allocatable) * maxNodeScore) / allocatable);
    default: {
      const { shape } = strategy;
      return (requested, allocatable) =>
        interpolate(shape, requested > allocatable ? 100 : Math.trunc((requested * 100) / allocatable));
    }
  }
}

/** Linear between the points, in whole numbers. */
function interpolate(shape: readonly ShapePoint[], utilization: number): number {
  const next = shape.findIndex((point) => utilization <= point.utilization);
  const last = shape.at(-1)!;
  if (next <= 0) return (next === 0 ? shape[0]! : last).score * scoreScale;
  const [from, to] = [shape[next - 1]!, shape[next]!];
  const [fromScore, toScore] = [from.score * scoreScale, to.score * scoreScale];
  const part = (toScore - fromScore) * (utilization - from.utilization);
  return fromScore + Math.trunc(part / (to.utilization - from.utilization));
}

/** Prefers nodes on which the resources would be used to similar shares. */
export const balancedAllocation =
  (resources: readonly string[]): ScorePlugin =>
  (pod, nodes) => {
    const isRequested = (name: string) => requestOf(name, pod) > 0;
    if (!resources.some(isRequested)) return undefined;
    return nodes.map((node) => {
      const shares = resources.flatMap((name) => {
        const { requested, allocatable } = amountsOf(name, pod, node, { countsDefaults: false });
        return allocatable === 0 ? [] : Math.min(1, requested / allocatable);
      });
      return Math.trunc((1 - standardDeviation(shares)) * maxNodeScore);
    });
  };

function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

function requestOf(name: string, { requests }: Pick<PendingPod, 'requests'>): number {
  if (name === 'cpu') return requests.milliCpu;
  if (name === 'memory') return requests.memory;
  return name === 'ephemeral-storage' ? requests.ephemeralStorage : (requests.scalars.get(name) ?? 0);
}

/** What is requested on a node with the pod. `countsDefaults`: containers without requests for CPU or memory count with defaults. */
function amountsOf(
  name: string,
  pod: PendingPod,
  node: NodeInfo,
  { countsDefaults }: { readonly countsDefaults: boolean },
): { readonly requested: number; readonly allocatable: number } {
  const { allocatable, requested, nonZeroRequested } = node;
  const isNonZero = countsDefaults && (name === 'cpu' || name === 'memory');
  const request = isNonZero ? nonZero(name, pod.nonZeroRequests) : requestOf(name, pod);
  const used = isNonZero ? nonZero(name, nonZeroRequested) : requestOf(name, { requests: requested });
  const capacity = requestOf(name, { requests: allocatable });
  // A pod that does not request an extended resource has no preference for it.
  const isSkipped = request === 0 && !['cpu', 'memory', 'ephemeral-storage'].includes(name);
  return isSkipped ? { requested: 0, allocatable: 0 } : { requested: used + request, allocatable: capacity };
}

const nonZero = (name: string, amounts: { readonly milliCpu: number; readonly memory: number }) =>
  name === 'cpu' ? amounts.milliCpu : amounts.memory;
