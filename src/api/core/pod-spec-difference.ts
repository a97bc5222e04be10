import type { EphemeralContainer } from './container.ts';
import type { PodSpec } from './pod-spec.ts';

export function podSpecDifference(_before: PodSpec, _now: PodSpec): string {
  return '';
}

export function ephemeralContainerDifference(_before: EphemeralContainer, _now: EphemeralContainer): string {
  return '';
}
