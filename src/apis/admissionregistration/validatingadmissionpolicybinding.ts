// ValidatingAdmissionPolicyBinding: resource definition (v1 and v1beta1) and strategy.
import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { definitionInVersion } from '../../kind/versions.ts';
import { validateBinding } from './policy-validation.ts';
import { bindingTable } from './policybinding-table.ts';
import { registrationStrategy } from './strategy.ts';
import { ValidatingAdmissionPolicyBinding } from './validatingadmissionpolicybinding-schema.ts';
import { v1beta1 } from './versions.ts';

export const validatingadmissionpolicybindings = ({ dialect }: KindContext) =>
  resource<ValidatingAdmissionPolicyBinding>({
    group: 'admissionregistration',
    version: 'v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    categories: ['api-extensions'],
    namespaced: false,
    schema: ValidatingAdmissionPolicyBinding,
    table: bindingTable,
    strategy: registrationStrategy(ValidatingAdmissionPolicyBinding, 'spec', (object) =>
      validateBinding(object, dialect),
    ),
  });

export const validatingadmissionpolicybindingsV1beta1 = (context: KindContext) =>
  definitionInVersion(
    'v1beta1',
    validatingadmissionpolicybindings(context),
    v1beta1.of(ValidatingAdmissionPolicyBinding),
  );
