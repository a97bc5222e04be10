// The v1alpha1 schemas that MutatingAdmissionPolicy and its binding share.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { documentedEnum, named, string } from '../../schema/scalars.ts';
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
      doc: 'A CEL identifier: other expressions call it `variables.<name>`.',
    }),
    expression: field(2, string, {
      required: true,
      doc: 'The CEL expression it stands for, which may use the variables before it.',
    }),
  },
  { doc: 'A part of expressions with a name of its own, computed once and only when needed.' },
);
export type VariableV1alpha1 = Infer<typeof VariableV1alpha1>;

export const ParamRefV1alpha1 = struct(
  'admissionregistration/v1alpha1.ParamRef',
  {
    name: field(1, string, { doc: 'The object that holds the parameters. Either this or `selector`.' }),
    namespace: field(2, string, {
      doc: 'Where it is; without this, the namespace of the object that is being written.',
    }),
    selector: field(3, optional(LabelSelector), {
      doc: 'Selects the objects by their labels; the policy is applied with each of them.',
    }),
    parameterNotFoundAction: field(
      4,
      optional(
        named('admissionregistration/v1alpha1.ParameterNotFoundActionType', documentedEnum('Allow', 'Deny')),
      ),
      { default: 'Deny', doc: 'What becomes of a request where no such object is found.' },
    ),
  },
  { atomic: true, doc: 'Where a policy finds its parameters.' },
);
export type ParamRefV1alpha1 = Infer<typeof ParamRefV1alpha1>;
