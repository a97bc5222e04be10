// Pod Security Standards: a violation, and the helpers that format its message as upstream does.
import type { Container, EphemeralContainer } from '../../../apis/core/container.ts';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';

/** A violation is reported as `<reason> (<detail>)`. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type AnyContainer = Container | EphemeralContainer;

/** All containers of a pod, in the order of upstream's messages. */
export const containersOf = (spec: PodSpec): AnyContainer[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

export const quoted = (values: readonly string[]) => values.map((value) => `"${value}"`).join(', ');

/** `container "a"`, `containers "a", "b"`. */
export const formatNames = (word: string, names: readonly string[]) =>
  `${plural(word, names)} ${quoted(names)}`;

export const plural = (word: string, items: readonly unknown[]) => (items.length === 1 ? word : `${word}s`);

export const formatContainers = (containers: readonly AnyContainer[]) =>
  formatNames(
    'container',
    containers.map(({ name }) => name),
  );

/** Formats the setters of a field: the pod, containers, and `others`, such as annotations. */
export function formatSetters(
  isSetOnPod: boolean,
  containers: readonly AnyContainer[],
  ...others: string[]
): string {
  return [
    ...(isSetOnPod ? ['pod'] : []),
    ...(containers.length > 0 ? [formatContainers(containers)] : []),
    ...others,
  ].join(' and ');
}

export const sortedUnique = (values: Iterable<string>) => [...new Set(values)].sort();
