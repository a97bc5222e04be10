// Versions of the API group admissionregistration: derives the types of v1beta1 and v1alpha1 from v1, with
// `v1beta1.of(Type)`.
import { versionOf } from '../../schema/version-of.ts';

/** These types exist in v1 only; the other versions use them from there. */
const shared = ['OperationType', 'Rule', 'RuleWithOperations', 'ScopeType'];

export const v1beta1 = versionOf('admissionregistration/v1', 'admissionregistration/v1beta1', {
  shared,
  publishedEnums: ['ValidationAction'],
});
export const v1alpha1 = versionOf('admissionregistration/v1', 'admissionregistration/v1alpha1', {
  shared,
  publishedEnums: ['FailurePolicyType', 'MatchPolicyType', 'ReinvocationPolicyType'],
});
