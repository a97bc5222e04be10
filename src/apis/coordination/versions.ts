// API group coordination: derives the types of a version from those of another version.

import { versionOf } from '../../schema/version-of.ts';

/** Derives the types of v1alpha2 from those of v1beta1, which are identical. */
export const v1alpha2 = versionOf('coordination/v1beta1', 'coordination/v1alpha2');
