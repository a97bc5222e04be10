// The schema of ValidatingAdmissionPolicyBinding.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { documentedEnum, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { ParamRef } from './params.ts';
import { MatchResources } from './rules.ts';

export const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec',
  {
    policyName: field(1, string, { doc: 'The policy. Where it does not exist, the binding does nothing.' }),
    paramRef: field(2, optional(ParamRef), {
      doc: 'Where the policy finds its parameters. It is asked once for each object found, with a budget of its own.',
    }),
    matchResources: field(3, optional(MatchResources), {
      doc: 'Narrows down what the policy matches. Without it, all of that.',
    }),
    validationActions: field(
      4,
      list(named('admissionregistration/v1.ValidationAction', documentedEnum('Deny', 'Warn', 'Audit')), {
        type: 'set',
      }),
      { doc: 'What happens when the policy does not hold: Deny or Warn, and Audit. Not both of the first.' },
    ),
  },
  { doc: 'Where a policy is in force, and how.' },
);

export type ValidatingAdmissionPolicyBindingSpec = Infer<typeof ValidatingAdmissionPolicyBindingSpec>;

export const ValidatingAdmissionPolicyBinding = kind(
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding',
  {
    spec: field(2, ValidatingAdmissionPolicyBindingSpec, { doc: 'Which policy, where, and how.' }),
  },
  { doc: 'Puts a policy into force.' },
);

export type ValidatingAdmissionPolicyBinding = Infer<typeof ValidatingAdmissionPolicyBinding>;
