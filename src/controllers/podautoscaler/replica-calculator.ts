// Replica calculator: the number of replicas that brings a metric to its target, from samples of the metric. Pure functions.
import { MetricError, type PodGroups, type PodSamples } from './pod-samples.ts';

/** Relative deviations from the target below which nothing is scaled. */
export interface Tolerances {
  readonly scaleUp: number;
  readonly scaleDown: number;
}

export interface PodMetricInput {
  readonly currentReplicas: number;
  readonly tolerances: Tolerances;
  readonly samples: PodSamples;
  readonly groups: PodGroups;
}

const maxInt32 = 2 ** 31 - 1;

const toReplicas = (count: number) => Math.min(Math.ceil(count), maxInt32);

const isWithin = ({ scaleUp, scaleDown }: Tolerances, ratio: number) =>
  1 - scaleDown <= ratio && ratio <= 1 + scaleUp;

export interface UtilizationResult {
  readonly replicas: number;
  /** In percent of the requests. */
  readonly utilization: number;
  readonly averageMilliValue: number;
}

/** Resource metrics with a target in percent of the requests. Throws MetricError. */
export function replicasForUtilization(
  input: PodMetricInput,
  requests: ReadonlyMap<string, number>,
  targetPercent: number,
): UtilizationResult {
  const usage = countedUsage(input);
  const { utilization, averageMilliValue } = utilizationOf(usage, requests);
  const ratioOf = (of: ReadonlyMap<string, number>) =>
    utilizationOf(of, requests).utilization / targetPercent;
  // A missing pod counts with its whole request, or with the target if that is higher.
  const assumedPercent = Math.max(100, targetPercent);
  const assumedUsage = (pod: string) => Math.trunc(((requests.get(pod) ?? 0) * assumedPercent) / 100);
  return { replicas: replicasForRatio(input, usage, ratioOf, assumedUsage), utilization, averageMilliValue };
}

/** Metrics of pods with a target value for each pod. Throws MetricError. */
export function replicasForAverageValue(
  input: PodMetricInput,
  targetMilliValue: number,
): Pick<UtilizationResult, 'replicas' | 'averageMilliValue'> {
  const usage = countedUsage(input);
  const averageOf = (of: ReadonlyMap<string, number>) => Math.trunc(sum(of.values()) / of.size);
  const ratioOf = (of: ReadonlyMap<string, number>) => averageOf(of) / targetMilliValue;
  return {
    replicas: replicasForRatio(input, usage, ratioOf, () => targetMilliValue),
    averageMilliValue: averageOf(usage),
  };
}

/** Object and External metrics with a target for the whole. With 0 replicas, the ratio itself is the number of replicas. */
export function replicasForValue(
  currentReplicas: number,
  tolerances: Tolerances,
  milliValue: number,
  targetMilliValue: number,
  readyPods: () => number,
): number {
  const ratio = milliValue / targetMilliValue;
  if (currentReplicas === 0) return toReplicas(ratio);
  return isWithin(tolerances, ratio) ? currentReplicas : toReplicas(ratio * readyPods());
}

/** Object and External metrics with a target for each replica. `averageMilliValue` is 0 if there are no replicas. */
export function replicasForValuePerReplica(
  statusReplicas: number,
  tolerances: Tolerances,
  milliValue: number,
  targetMilliValue: number,
): Pick<UtilizationResult, 'replicas' | 'averageMilliValue'> {
  const ratio = milliValue / (targetMilliValue * statusReplicas);
  return {
    replicas: isWithin(tolerances, ratio) ? statusReplicas : toReplicas(milliValue / targetMilliValue),
    averageMilliValue: statusReplicas === 0 ? 0 : Math.ceil(milliValue / statusReplicas),
  };
}

/** The usage of the pods that have a sample and are neither ignored nor unready. */
function countedUsage({ samples, groups }: PodMetricInput): ReadonlyMap<string, number> {
  const usage = new Map<string, number>();
  for (const [pod, { milliValue }] of samples) {
    if (!groups.ignored.has(pod) && !groups.unready.has(pod)) usage.set(pod, milliValue);
  }
  if (usage.size === 0)
    throw new MetricError('did not receive metrics for targeted pods (pods might be unready)');
  return usage;
}

/** Pods that are unknown to `requests` do not count. */
function utilizationOf(usage: ReadonlyMap<string, number>, requests: ReadonlyMap<string, number>) {
  const known = [...usage].filter(([pod]) => requests.has(pod));
  const used = sum(known.map(([, milliValue]) => milliValue));
  const requested = sum(known.map(([pod]) => requests.get(pod)!));
  if (requested === 0) throw new MetricError('no metrics returned matched known pods');
  return {
    // 100 times the memory of a pod in thousandths of a byte may exceed the integers of a double.
    utilization: Number((BigInt(used) * 100n) / BigInt(requested)),
    averageMilliValue: Math.trunc(used / known.length),
  };
}

/** The usage of pods without a sample is assumed so that it dampens the change, and never so that it reverses it. */
function replicasForRatio(
  { currentReplicas, tolerances, groups }: PodMetricInput,
  usage: ReadonlyMap<string, number>,
  ratioOf: (usage: ReadonlyMap<string, number>) => number,
  assumedUsage: (pod: string) => number,
): number {
  const { readyCount, unready, missing } = groups;
  const ratio = ratioOf(usage);
  const countsUnready = unready.size > 0 && ratio > 1;
  if (!countsUnready && missing.size === 0)
    return isWithin(tolerances, ratio) ? currentReplicas : toReplicas(ratio * readyCount);
  const completed = new Map(usage);
  if (ratio !== 1) for (const pod of missing) completed.set(pod, ratio < 1 ? assumedUsage(pod) : 0);
  if (countsUnready) for (const pod of unready) completed.set(pod, 0);
  const dampedRatio = ratioOf(completed);
  const isReversed = (ratio < 1 && dampedRatio > 1) || (ratio > 1 && dampedRatio < 1);
  if (isWithin(tolerances, dampedRatio) || isReversed) return currentReplicas;
  const replicas = toReplicas(dampedRatio * completed.size);
  const isContrary = dampedRatio < 1 ? replicas > currentReplicas : replicas < currentReplicas;
  return isContrary ? currentReplicas : replicas;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
