// MutatingAdmissionPolicyBinding: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { MatchResourcesV1alpha1, ParamRefV1alpha1 } from './mutating-parts-v1alpha1.ts';

const MutatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBindingSpec',
  {
    policyName: field(1, string, {
      doc: 'The name of the policy. If it does not exist, the binding has no effect.',
    }),
    paramRef: field(2, optional(ParamRefV1alpha1), { doc: 'A reference to the parameters of the policy.' }),
    matchResources: field(3, optional(MatchResourcesV1alpha1), {
      doc: 'Restricts the requests that the policy applies to. Absent: no further restriction.',
    }),
  },
  { doc: 'The specification of a MutatingAdmissionPolicyBinding.' },
);

export const MutatingAdmissionPolicyBinding = kind(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBinding',
  {
    spec: field(2, MutatingAdmissionPolicyBindingSpec, {
      doc: 'The policy, its parameters and the matching requests.',
    }),
  },
  { doc: 'Puts a MutatingAdmissionPolicy into effect.' },
);

export type MutatingAdmissionPolicyBinding = Infer<typeof MutatingAdmissionPolicyBinding>;
