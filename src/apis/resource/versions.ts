import { versionOf } from '../../schema/version-of.ts';

/** The types that this version has in common with v1beta1. */
export const v1beta2 = versionOf('resource/v1beta1', 'resource/v1beta2');
/** The types that this version has in common with v1beta1. */
export const v1alpha3 = versionOf('resource/v1beta1', 'resource/v1alpha3');
