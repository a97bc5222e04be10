// Pod: defaults that pod templates do not get.
import { completePodResources, requestWhatIsLimited } from './pod-resources.ts';
import type { PodSpec } from './pod-spec.ts';

export function applyPodDefaults(spec: PodSpec): void {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  for (const container of containers) requestWhatIsLimited(container);
  completePodResources(spec);
  spec.enableServiceLinks ??= true;
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  if (!spec.hostNetwork) return;
  for (const { ports } of containers) {
    for (const port of ports ?? []) port.hostPort ||= port.containerPort;
  }
}
