import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { validateMutatingPolicy } from './mutating-policy-validation.ts';
import { MutatingAdmissionPolicy } from './mutatingadmissionpolicy-schema.ts';
import { registrationStrategy } from './strategy.ts';

export const mutatingadmissionpolicies = ({ dialect }: KindContext) =>
  resource<MutatingAdmissionPolicy>({
    group: 'admissionregistration',
    version: 'v1alpha1',
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    categories: ['api-extensions'],
    namespaced: false,
    schema: MutatingAdmissionPolicy,
    strategy: registrationStrategy(MutatingAdmissionPolicy, 'spec', (object) =>
      validateMutatingPolicy(object, dialect),
    ),
  });
