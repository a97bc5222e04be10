// Versions of the API group admissionregistration: v1beta1 and v1alpha1 have types in common with v1.
import { versionOf } from '../../schema/version-of.ts';

const shared = ['OperationType', 'Rule', 'RuleWithOperations', 'ScopeType'];

export const v1beta1 = versionOf('admissionregistration/v1', 'admissionregistration/v1beta1', {
  shared,
  documentedEnums: ['ValidationAction'],
});
export const v1alpha1 = versionOf('admissionregistration/v1', 'admissionregistration/v1alpha1', {
  shared,
  documentedEnums: ['FailurePolicyType', 'MatchPolicyType', 'ReinvocationPolicyType'],
});
