// Pod: defaults that pod templates do not get.
import { defaultPodLevelResources, defaultRequestsToLimits } from './pod-resources.ts';
import type { PodSpec } from './pod-spec.ts';

export function applyPodDefaults(spec: PodSpec): void {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  for (const container of containers) defaultRequestsToLimits(container);
  defaultPodLevelResources(spec);
  spec.enableServiceLinks ??= true;
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  if (!spec.hostNetwork) return;
  // In the host's network namespace, the container port is the host port.
  for (const { ports } of containers) {
    for (const port of ports ?? []) port.hostPort ||= port.containerPort;
  }
}
