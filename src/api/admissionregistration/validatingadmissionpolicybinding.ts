import { list } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { alsoIn } from '../versions.ts';
import { ParamRef } from './params.ts';
import { MatchResources } from './rules.ts';
import { v1beta1 } from './versions.ts';

export const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec',
  {
    policyName: field(1, string),
    paramRef: field(2, optional(ParamRef)),
    matchResources: field(3, optional(MatchResources)),
    validationActions: field(
      4,
      list(named('admissionregistration/v1.ValidationAction', oneOf('Deny', 'Warn', 'Audit')), {
        type: 'set',
      }),
    ),
  },
);
export type ValidatingAdmissionPolicyBindingSpec = Infer<typeof ValidatingAdmissionPolicyBindingSpec>;

export const ValidatingAdmissionPolicyBinding = kind(
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding',
  {
    spec: field(2, ValidatingAdmissionPolicyBindingSpec),
  },
  { doc: '' },
);
export type ValidatingAdmissionPolicyBinding = Infer<typeof ValidatingAdmissionPolicyBinding>;

export const validatingadmissionpolicybindings = (context: KindContext) =>
  resource<ValidatingAdmissionPolicyBinding>({
    group: 'admissionregistration',
    version: 'v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    categories: ['api-extensions'],
    namespaced: false,
    schema: ValidatingAdmissionPolicyBinding,
    strategy: plainStrategy(context, ValidatingAdmissionPolicyBinding),
  });

export const validatingadmissionpolicybindingsV1beta1 = (context: KindContext) =>
  alsoIn('v1beta1', validatingadmissionpolicybindings(context), v1beta1.of(ValidatingAdmissionPolicyBinding));
