// Pod: iterates over all containers.
import type { Container, EphemeralContainer } from './container.ts';
import type { PodSpec } from './pod-spec.ts';

export interface ContainerWithPath {
  readonly container: Container | EphemeralContainer;
  readonly path: string;
}

/** Yields init, regular and ephemeral containers with their field paths, in kube-apiserver's order. */
export function* containersWithPaths(spec: PodSpec, path: string): Generator<ContainerWithPath> {
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const [i, container] of (spec[field] ?? []).entries()) {
      yield { container, path: `${path}.${field}[${i}]` };
    }
  }
}
