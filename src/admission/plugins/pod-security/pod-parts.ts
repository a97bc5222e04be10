// Pod Security Standards: the inputs of checks, which are the annotations and spec of a pod, and the configuration.
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import type { Dialect } from '../../../dialect/dialect.ts';

/** Annotations and spec of a pod or of a pod template. */
export interface PodParts {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** The configuration that checks depend on. */
export interface CheckContext {
  readonly dialect: Dialect;
  /** Feature gate UserNamespacesPodSecurityStandards: relaxes checks for pods with `hostUsers: false`. */
  readonly trustsUserNamespaces: boolean;
}

export const isOnWindows = ({ spec }: PodParts) => spec.os?.name === 'windows';

/** Pods in a user namespace are exempt from some checks: their root user is unprivileged on the node. */
export const isExemptByUserNamespace = ({ spec }: PodParts, { trustsUserNamespaces }: CheckContext) =>
  trustsUserNamespaces && spec.hostUsers === false;
