// API group networking: derives the types of a version from those of another version.

import { versionOf } from '../../schema/version-of.ts';

/** Derives the types of v1beta1 from those of v1, which are identical. */
export const v1beta1 = versionOf('networking/v1', 'networking/v1beta1');
