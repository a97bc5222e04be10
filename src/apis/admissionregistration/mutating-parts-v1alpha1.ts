// The v1alpha1 schemas that MutatingAdmissionPolicy and its binding share. `v1alpha1.of` derives a type from v1: the
// same fields under the name of v1alpha1. Types that differ from v1 are declared.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { failurePolicyType } from './failure-policy.ts';
import { ParamKind } from './params.ts';
import { MatchResources } from './rules.ts';
import { v1alpha1 } from './versions.ts';

export const ParamKindV1alpha1 = v1alpha1.of(ParamKind);
export const MatchResourcesV1alpha1 = v1alpha1.of(MatchResources);
export const failurePolicyTypeV1alpha1 = v1alpha1.of(failurePolicyType);

export const VariableV1alpha1 = struct(
  'admissionregistration/v1alpha1.Variable',
  {
    name: field(1, string, {
      required: true,
      doc: 'A CEL identifier, by which other expressions refer to the variable as `variables.<name>`.',
    }),
    expression: field(2, string, {
      required: true,
      doc: 'The CEL expression of the variable. It can refer to earlier variables.',
    }),
  },
  { doc: 'A named CEL expression, evaluated lazily and at most once.' },
);
export type VariableV1alpha1 = Infer<typeof VariableV1alpha1>;

export const ParamRefV1alpha1 = struct(
  'admissionregistration/v1alpha1.ParamRef',
  {
    name: field(1, string, { doc: 'The name of the parameter object. Mutually exclusive with `selector`.' }),
    namespace: field(2, string, {
      doc: 'The namespace of the parameter object. Defaults to the namespace of the request.',
    }),
    selector: field(3, optional(LabelSelector), {
      doc: 'Selects parameter objects by label. The policy is applied with each of them.',
    }),
    parameterNotFoundAction: field(
      4,
      optional(
        named('admissionregistration/v1alpha1.ParameterNotFoundActionType', publishedEnum('Allow', 'Deny')),
      ),
      { default: 'Deny', doc: 'What happens if no parameter object is found: Allow or Deny.' },
    ),
  },
  { atomic: true, doc: 'A reference to the parameters of a policy.' },
);
export type ParamRefV1alpha1 = Infer<typeof ParamRefV1alpha1>;
