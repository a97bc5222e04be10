// API group certificates: derives the types of a version from those of another version.

import { versionOf } from '../../schema/version-of.ts';

/** Derives the types of v1alpha1 from those of v1beta1, which are identical. */
export const v1alpha1 = versionOf('certificates/v1beta1', 'certificates/v1alpha1');
