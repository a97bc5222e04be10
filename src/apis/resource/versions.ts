// Versions of the API group resource.

import { versionOf } from '../../schema/version-of.ts';

/** Derives the types that are identical in v1beta1 and this version. */
export const v1beta2 = versionOf('resource/v1beta1', 'resource/v1beta2');
/** Derives the types that are identical in v1beta1 and this version. */
export const v1alpha3 = versionOf('resource/v1beta1', 'resource/v1alpha3');
