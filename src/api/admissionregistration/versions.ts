import { versionOf } from '../../schema/version-of.ts';

/** The types that this version has in common with v1. */
export const v1beta1 = versionOf('admissionregistration/v1', 'admissionregistration/v1beta1', [
  'OperationType',
  'Rule',
  'RuleWithOperations',
  'ScopeType',
]);
