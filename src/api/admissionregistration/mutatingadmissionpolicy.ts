import { list } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { MatchCondition } from './match-condition.ts';
import {
  failurePolicyTypeV1alpha1,
  MatchResourcesV1alpha1,
  ParamKindV1alpha1,
  VariableV1alpha1,
} from './mutating-parts-v1alpha1.ts';
import { reinvocationPolicyType } from './webhook-client-config.ts';

export const ApplyConfigurationV1alpha1 = struct('admissionregistration/v1alpha1.ApplyConfiguration', {
  expression: field(1, string),
});
export type ApplyConfigurationV1alpha1 = Infer<typeof ApplyConfigurationV1alpha1>;

export const JSONPatchV1alpha1 = struct('admissionregistration/v1alpha1.JSONPatch', {
  expression: field(1, string),
});
export type JSONPatchV1alpha1 = Infer<typeof JSONPatchV1alpha1>;

export const MutationV1alpha1 = struct('admissionregistration/v1alpha1.Mutation', {
  patchType: field(
    2,
    named('admissionregistration/v1alpha1.PatchType', oneOf('ApplyConfiguration', 'JSONPatch')),
    { required: true },
  ),
  applyConfiguration: field(3, optional(ApplyConfigurationV1alpha1)),
  jsonPatch: field(4, optional(JSONPatchV1alpha1)),
});
export type MutationV1alpha1 = Infer<typeof MutationV1alpha1>;

export const MutatingAdmissionPolicySpec = struct(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicySpec',
  {
    paramKind: field(1, optional(ParamKindV1alpha1)),
    matchConstraints: field(2, optional(MatchResourcesV1alpha1)),
    variables: field(3, list(VariableV1alpha1, { type: 'atomic' })),
    mutations: field(4, list(MutationV1alpha1, { type: 'atomic' })),
    failurePolicy: field(5, optional(failurePolicyTypeV1alpha1)),
    matchConditions: field(
      6,
      list(MatchCondition, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
    ),
    reinvocationPolicy: field(7, reinvocationPolicyType),
  },
);
export type MutatingAdmissionPolicySpec = Infer<typeof MutatingAdmissionPolicySpec>;

export const MutatingAdmissionPolicy = kind(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicy',
  {
    spec: field(2, MutatingAdmissionPolicySpec),
  },
  { doc: '' },
);
export type MutatingAdmissionPolicy = Infer<typeof MutatingAdmissionPolicy>;

export const mutatingadmissionpolicies = (context: KindContext) =>
  resource<MutatingAdmissionPolicy>({
    group: 'admissionregistration',
    version: 'v1alpha1',
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    categories: ['api-extensions'],
    namespaced: false,
    schema: MutatingAdmissionPolicy,
    strategy: plainStrategy(context, MutatingAdmissionPolicy),
  });
