// Samples of a metric for the pods of an autoscaler, and which pods count in a calculation.

import type { Container } from '../../apis/core/container.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { isSidecar } from '../../apis/core/pod-resources.ts';
import { mustParseQuantity } from '../../apis/core/resource-list.ts';
import { valueAtScale } from '../../schema/quantity.ts';

/** A metric of one pod. */
export interface PodSample {
  /** In thousandths of the unit of the metric. */
  readonly milliValue: number;
  readonly timestampMs: number;
  /** The interval that the sample covers. */
  readonly windowMs: number;
}

export type PodSamples = ReadonlyMap<string, PodSample>;

/** A metric cannot be read, or the replicas cannot be computed from it. The message is part of the API. */
export class MetricError extends Error {}

/** The names of pods by the way they count. A pod that is in no set is ready. */
export interface PodGroups {
  readonly readyCount: number;
  /** Not running yet, or in the initialization of its CPU usage. */
  readonly unready: ReadonlySet<string>;
  /** Without a sample. */
  readonly missing: ReadonlySet<string>;
  /** Finished or being deleted. */
  readonly ignored: ReadonlySet<string>;
}

/** For so long after the start of a pod, its CPU usage counts only while it is ready. */
const cpuInitializationPeriodMs = 5 * 60_000;
/** A pod that became unready within this time after its start has never been ready. */
const initialReadinessDelayMs = 30_000;

/** `resource` is undefined for metrics that are no resource. */
export function groupPods(
  pods: readonly Pod[],
  samples: PodSamples,
  resource: string | undefined,
  now: number,
): PodGroups {
  const [unready, missing, ignored] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let readyCount = 0;
  for (const pod of pods) {
    const name = pod.metadata.name!;
    const sample = samples.get(name);
    if (pod.metadata.deletionTimestamp || isFinished(pod)) ignored.add(name);
    else if (pod.status.phase === 'Pending') unready.add(name);
    else if (!sample) missing.add(name);
    else if (resource === 'cpu' && isInitializing(pod, sample, now)) unready.add(name);
    else readyCount += 1;
  }
  return { readyCount, unready, missing, ignored };
}

const isFinished = ({ status }: Pod) => status.phase === 'Succeeded' || status.phase === 'Failed';

/** CPU usage while a container starts says nothing about the load. */
function isInitializing({ status }: Pod, { timestampMs, windowMs }: PodSample, now: number): boolean {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  if (!ready || !status.startTime) return true;
  const startMs = Date.parse(status.startTime);
  const transitionMs = ready.lastTransitionTime ? Date.parse(ready.lastTransitionTime) : 0;
  if (startMs + cpuInitializationPeriodMs > now)
    return ready.status === 'False' || timestampMs < transitionMs + windowMs;
  return ready.status === 'False' && startMs + initialReadinessDelayMs > transitionMs;
}

/** The requests of a resource by pod, of one container or (with undefined) of all. Throws MetricError if one has none. */
export function requestsOf(
  pods: readonly Pod[],
  resource: string,
  container: string | undefined,
): ReadonlyMap<string, number> {
  const requests = new Map<string, number>();
  for (const { metadata, spec } of pods) {
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)];
    const counted = containers.filter(({ name }) => container === undefined || name === container);
    const milliValues = counted.map((each) => milliRequest(each, resource, metadata.name!));
    requests.set(
      metadata.name!,
      milliValues.reduce((sum, value) => sum + value, 0),
    );
  }
  return requests;
}

function milliRequest({ name, resources }: Container, resource: string, pod: string): number {
  const request = resources.requests?.[resource];
  if (request === undefined)
    throw new MetricError(`missing request for ${resource} in container ${name} of Pod ${pod}`);
  return milliValueOf(request);
}

export const milliValueOf = (quantity: string) => Number(valueAtScale(mustParseQuantity(quantity), -3));
