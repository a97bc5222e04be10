// Pod Security Standards: the parts of a pod that checks read.
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import type { Dialect } from '../../../dialect/dialect.ts';

/** A pod, or the template of one. */
export interface PodParts {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** The configuration that checks depend on. */
export interface Circumstances {
  readonly dialect: Dialect;
  /** Pods with users of their own may do more in them. */
  readonly trustsUserNamespaces: boolean;
}

export const isOnWindows = ({ spec }: PodParts) => spec.os?.name === 'windows';

/** A pod in a user namespace: its root user is unprivileged on the node. */
export const hasOwnUsers = ({ spec }: PodParts, { trustsUserNamespaces }: Circumstances) =>
  trustsUserNamespaces && spec.hostUsers === false;
