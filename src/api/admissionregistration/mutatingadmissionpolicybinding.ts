import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { MatchResourcesV1alpha1, ParamRefV1alpha1 } from './mutating-parts-v1alpha1.ts';

export const MutatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBindingSpec',
  {
    policyName: field(1, string),
    paramRef: field(2, optional(ParamRefV1alpha1)),
    matchResources: field(3, optional(MatchResourcesV1alpha1)),
  },
);
export type MutatingAdmissionPolicyBindingSpec = Infer<typeof MutatingAdmissionPolicyBindingSpec>;

export const MutatingAdmissionPolicyBinding = kind(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBinding',
  {
    spec: field(2, MutatingAdmissionPolicyBindingSpec),
  },
  { doc: '' },
);
export type MutatingAdmissionPolicyBinding = Infer<typeof MutatingAdmissionPolicyBinding>;

export const mutatingadmissionpolicybindings = (context: KindContext) =>
  resource<MutatingAdmissionPolicyBinding>({
    group: 'admissionregistration',
    version: 'v1alpha1',
    kind: 'MutatingAdmissionPolicyBinding',
    plural: 'mutatingadmissionpolicybindings',
    categories: ['api-extensions'],
    namespaced: false,
    schema: MutatingAdmissionPolicyBinding,
    strategy: plainStrategy(context, MutatingAdmissionPolicyBinding),
  });
