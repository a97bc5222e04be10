import { versionOf } from '../../schema/version-of.ts';

/** The types that this version has in common with v1. */
export const v1beta1 = versionOf('networking/v1', 'networking/v1beta1');
