import { versionOf } from '../../schema/version-of.ts';

/** The types that this version has in common with v1beta1. */
export const v1alpha2 = versionOf('coordination/v1beta1', 'coordination/v1alpha2');
