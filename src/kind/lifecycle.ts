// API lifecycle: the releases that introduce, deprecate and remove a version of a kind.

import type { GroupId } from '../dialect/groups.ts';

/** Releases after the current one are planned. */
export interface Lifecycle {
  readonly introduced: string;
  readonly deprecated?: string;
  /** The first release without it. */
  readonly removed?: string;
  /** The kind that deprecation warnings name. */
  readonly replacement?: ApiKind;
}

export interface ApiKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The lifecycle of a group version, with the kinds that differ from the rest of it. */
export interface VersionLifecycle extends Omit<Lifecycle, 'replacement'> {
  /** `extensions` has no kinds any more. */
  readonly group: GroupId | 'extensions';
  readonly version: string;
  /** The group version that replaces each of its kinds, under the same name. */
  readonly replacedBy?: Pick<ApiKind, 'group' | 'version'>;
  readonly kinds?: Readonly<Record<string, Partial<Lifecycle>>>;
}

/** The kinds of a removed version: their lifecycle is that of the version. */
export const removedKinds = (...kinds: string[]): Record<string, Partial<Lifecycle>> =>
  Object.fromEntries(kinds.map((kind) => [kind, {}]));

/** Gives these kinds a lifecycle that differs from the rest of their version. */
export const kindsWith = (lifecycle: Lifecycle, ...kinds: string[]): Record<string, Partial<Lifecycle>> =>
  Object.fromEntries(kinds.map((kind) => [kind, lifecycle]));

export const replacedByV1 = (group: GroupId) => ({ replacedBy: { group, version: 'v1' } });
