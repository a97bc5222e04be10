// MutatingAdmissionPolicyBinding: resource definition. The server stores and validates these bindings, but does not
// evaluate their policies.
import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { MutatingAdmissionPolicyBinding } from './mutatingadmissionpolicybinding-schema.ts';
import { validateBindingSpec } from './policy-validation.ts';
import { bindingTable } from './policybinding-table.ts';
import { registrationStrategy } from './strategy.ts';

export const mutatingadmissionpolicybindings = ({ dialect }: KindContext) =>
  resource<MutatingAdmissionPolicyBinding>({
    group: 'admissionregistration',
    version: 'v1alpha1',
    kind: 'MutatingAdmissionPolicyBinding',
    plural: 'mutatingadmissionpolicybindings',
    categories: ['api-extensions'],
    namespaced: false,
    schema: MutatingAdmissionPolicyBinding,
    table: bindingTable,
    strategy: registrationStrategy(MutatingAdmissionPolicyBinding, 'spec', ({ spec }) =>
      validateBindingSpec(spec, dialect),
    ),
  });
