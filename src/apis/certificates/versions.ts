import { versionOf } from '../../schema/version-of.ts';

/** The types that this version has in common with v1beta1. */
export const v1alpha1 = versionOf('certificates/v1beta1', 'certificates/v1alpha1');
