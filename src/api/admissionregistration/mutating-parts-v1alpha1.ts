import { list } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { RuleWithOperations } from './rules.ts';

export const ParamKindV1alpha1 = struct(
  'admissionregistration/v1alpha1.ParamKind',
  {
    apiVersion: field(1, string),
    kind: field(2, string),
  },
  { atomic: true },
);
export type ParamKindV1alpha1 = Infer<typeof ParamKindV1alpha1>;

export const NamedRuleWithOperationsV1alpha1 = struct(
  'admissionregistration/v1alpha1.NamedRuleWithOperations',
  {
    resourceNames: field(1, list(string, { type: 'atomic' })),
    ...inline(2, RuleWithOperations),
  },
  { atomic: true },
);
export type NamedRuleWithOperationsV1alpha1 = Infer<typeof NamedRuleWithOperationsV1alpha1>;

export const MatchResourcesV1alpha1 = struct(
  'admissionregistration/v1alpha1.MatchResources',
  {
    namespaceSelector: field(1, optional(LabelSelector)),
    objectSelector: field(2, optional(LabelSelector)),
    resourceRules: field(3, list(NamedRuleWithOperationsV1alpha1, { type: 'atomic' })),
    excludeResourceRules: field(4, list(NamedRuleWithOperationsV1alpha1, { type: 'atomic' })),
    matchPolicy: field(
      7,
      optional(named('admissionregistration/v1alpha1.MatchPolicyType', oneOf('Exact', 'Equivalent'))),
    ),
  },
  { atomic: true },
);
export type MatchResourcesV1alpha1 = Infer<typeof MatchResourcesV1alpha1>;

export const VariableV1alpha1 = struct('admissionregistration/v1alpha1.Variable', {
  name: field(1, string, { required: true }),
  expression: field(2, string, { required: true }),
});
export type VariableV1alpha1 = Infer<typeof VariableV1alpha1>;

export const failurePolicyTypeV1alpha1 = named(
  'admissionregistration/v1alpha1.FailurePolicyType',
  oneOf('Ignore', 'Fail'),
);

export const ParamRefV1alpha1 = struct(
  'admissionregistration/v1alpha1.ParamRef',
  {
    name: field(1, string),
    namespace: field(2, string),
    selector: field(3, optional(LabelSelector)),
    parameterNotFoundAction: field(
      4,
      optional(named('admissionregistration/v1alpha1.ParameterNotFoundActionType', oneOf('Allow', 'Deny'))),
    ),
  },
  { atomic: true },
);
export type ParamRefV1alpha1 = Infer<typeof ParamRefV1alpha1>;
