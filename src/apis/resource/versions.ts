// Versions of the API group resource: derives types from v1beta1, the storage version.

import { versionOf } from '../../schema/version-of.ts';

/** `v1beta2.of(type)` is the same type under its v1beta2 name, for types that are identical in both versions. */
export const v1beta2 = versionOf('resource/v1beta1', 'resource/v1beta2');
/** `v1alpha3.of(type)` is the same type under its v1alpha3 name, for types that are identical in both versions. */
export const v1alpha3 = versionOf('resource/v1beta1', 'resource/v1alpha3');
