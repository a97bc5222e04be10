// The v1beta1 names of schemas that are those of v1.
import { versionOf } from '../../schema/version-of.ts';

const borrowed = ['OperationType', 'Rule', 'RuleWithOperations', 'ScopeType'];

/** The types that these versions have in common with v1. */
export const v1beta1 = versionOf('admissionregistration/v1', 'admissionregistration/v1beta1', borrowed);
export const v1alpha1 = versionOf('admissionregistration/v1', 'admissionregistration/v1alpha1', borrowed);
