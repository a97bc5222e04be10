// ValidatingAdmissionPolicyBinding: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { ParamRef } from './params.ts';
import { MatchResources } from './rules.ts';

export const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec',
  {
    policyName: field(1, string, {
      doc: 'The name of the policy. If it does not exist, the binding has no effect.',
    }),
    paramRef: field(2, optional(ParamRef), {
      doc: 'A reference to the parameters of the policy. The policy is evaluated for each parameter object with its own cost budget.',
    }),
    matchResources: field(3, optional(MatchResources), {
      doc: 'Restricts the requests that the policy applies to. Absent: no further restriction.',
    }),
    validationActions: field(
      4,
      list(named('admissionregistration/v1.ValidationAction', publishedEnum('Deny', 'Warn', 'Audit')), {
        type: 'set',
      }),
      {
        doc: 'The actions on a failed validation: Deny, Warn and Audit. Deny and Warn are mutually exclusive.',
      },
    ),
  },
  { doc: 'The specification of a ValidatingAdmissionPolicyBinding.' },
);

export type ValidatingAdmissionPolicyBindingSpec = Infer<typeof ValidatingAdmissionPolicyBindingSpec>;

export const ValidatingAdmissionPolicyBinding = kind(
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding',
  {
    spec: field(2, ValidatingAdmissionPolicyBindingSpec, {
      doc: 'The policy, its parameters, the matching requests and the actions.',
    }),
  },
  { doc: 'Puts a ValidatingAdmissionPolicy into effect.' },
);

export type ValidatingAdmissionPolicyBinding = Infer<typeof ValidatingAdmissionPolicyBinding>;
