// The schema of MutatingAdmissionPolicyBinding.
import { kind } from '../../kind/meta/kind.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { MatchResourcesV1alpha1, ParamRefV1alpha1 } from './mutating-parts-v1alpha1.ts';

const MutatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBindingSpec',
  {
    policyName: field(1, string, { doc: 'The policy. Where it does not exist, the binding does nothing.' }),
    paramRef: field(2, optional(ParamRefV1alpha1), { doc: 'Where the policy finds its parameters.' }),
    matchResources: field(3, optional(MatchResourcesV1alpha1), {
      doc: 'Narrows down what the policy matches. Without it, all of that.',
    }),
  },
  { doc: 'Where a policy is in force.' },
);

export const MutatingAdmissionPolicyBinding = kind(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBinding',
  { spec: field(2, MutatingAdmissionPolicyBindingSpec, { doc: 'Which policy, and where.' }) },
  { doc: 'Puts a policy that changes objects into force.' },
);

export type MutatingAdmissionPolicyBinding = Infer<typeof MutatingAdmissionPolicyBinding>;
