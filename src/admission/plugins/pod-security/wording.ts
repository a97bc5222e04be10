// Pod Security Standards: the wording of violations.
import type { Container, EphemeralContainer } from '../../../apis/core/container.ts';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type AnyContainer = Container | EphemeralContainer;

/** All containers of a pod, in the order in which they are spoken of. */
export const containersOf = (spec: PodSpec): AnyContainer[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

export const quoted = (values: readonly string[]) => values.map((value) => `"${value}"`).join(', ');

/** `container "a"`, `containers "a", "b"`. */
export const counted = (word: string, names: readonly string[]) => `${plural(word, names)} ${quoted(names)}`;

export const plural = (word: string, all: readonly unknown[]) => (all.length === 1 ? word : `${word}s`);

export const containersNamed = (containers: readonly AnyContainer[]) =>
  counted(
    'container',
    containers.map(({ name }) => name),
  );

/** Names the setters of a field: the pod, some containers, or both. */
export function setters(isPod: boolean, containers: readonly AnyContainer[], ...others: string[]): string {
  return [
    ...(isPod ? ['pod'] : []),
    ...(containers.length > 0 ? [containersNamed(containers)] : []),
    ...others,
  ].join(' and ');
}

export const sorted = (values: Iterable<string>) => [...new Set(values)].sort();
