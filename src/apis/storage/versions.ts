// Versions of the API group storage.

import { versionOf } from '../../schema/version-of.ts';

/** Derives the types of v1alpha1 from those of v1beta1, which are identical. */
export const v1alpha1 = versionOf('storage/v1beta1', 'storage/v1alpha1');
