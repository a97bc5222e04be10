import type { PodSpec } from './pod-spec.ts';

export function podSpecDifference(_before: PodSpec, _now: PodSpec): string {
  return '';
}
