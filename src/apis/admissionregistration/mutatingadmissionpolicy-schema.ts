// MutatingAdmissionPolicy: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import {
  failurePolicyTypeV1alpha1,
  MatchResourcesV1alpha1,
  ParamKindV1alpha1,
  VariableV1alpha1,
} from './mutating-parts-v1alpha1.ts';
import { reinvocationPolicyType } from './webhook-client-config.ts';
import { matchConditionsField } from './webhook-fields.ts';

const ApplyConfigurationV1alpha1 = struct(
  'admissionregistration/v1alpha1.ApplyConfiguration',
  {
    expression: field(1, string, {
      doc: 'A CEL expression that returns an apply configuration, `Object{…}`, which is merged into the object.',
    }),
  },
  { doc: 'A mutation as an apply configuration, merged as in server-side apply.' },
);

const JSONPatchV1alpha1 = struct(
  'admissionregistration/v1alpha1.JSONPatch',
  {
    expression: field(1, string, {
      doc: 'A CEL expression that returns a list of JSON patch operations, `JSONPatch{…}`.',
    }),
  },
  { doc: 'A mutation as a JSON patch.' },
);

export const MutationV1alpha1 = struct(
  'admissionregistration/v1alpha1.Mutation',
  {
    patchType: field(
      2,
      named('admissionregistration/v1alpha1.PatchType', publishedEnum('ApplyConfiguration', 'JSONPatch')),
      {
        required: true,
        doc: 'ApplyConfiguration or JSONPatch. The field of that type must be set, and the other one must not.',
      },
    ),
    applyConfiguration: field(3, optional(ApplyConfigurationV1alpha1), {
      doc: 'The mutation for patchType ApplyConfiguration.',
    }),
    jsonPatch: field(4, optional(JSONPatchV1alpha1), { doc: 'The mutation for patchType JSONPatch.' }),
  },
  { doc: 'A mutation of a policy.' },
);

export type MutationV1alpha1 = Infer<typeof MutationV1alpha1>;

const MutatingAdmissionPolicySpec = struct(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicySpec',
  {
    paramKind: field(1, optional(ParamKindV1alpha1), {
      doc: 'The kind of the parameter objects, if the policy has parameters.',
    }),
    matchConstraints: field(2, optional(MatchResourcesV1alpha1), {
      doc: 'The requests that the policy applies to. Required.',
    }),
    variables: field(3, list(VariableV1alpha1, { type: 'atomic' }), {
      doc: 'Named expressions. Each can refer to earlier ones. Match conditions cannot use them.',
    }),
    mutations: field(4, list(MutationV1alpha1, { type: 'atomic' }), {
      doc: 'The mutations, applied in order. At least one.',
    }),
    failurePolicy: field(5, optional(failurePolicyTypeV1alpha1), {
      default: 'Fail',
      doc: 'What happens to a request if an expression fails: Fail or Ignore.',
    }),
    matchConditions: matchConditionsField(6),
    reinvocationPolicy: field(7, reinvocationPolicyType, {
      doc: 'IfNeeded: runs again if a later mutation changed the object. Never: runs once. Required.',
    }),
  },
  { doc: 'The specification of a MutatingAdmissionPolicy.' },
);

export const MutatingAdmissionPolicy = kind(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicy',
  { spec: field(2, MutatingAdmissionPolicySpec, { doc: 'The specification of the policy.' }) },
  { doc: 'Mutates objects at admission with CEL expressions. Bindings put it into effect.' },
);

export type MutatingAdmissionPolicy = Infer<typeof MutatingAdmissionPolicy>;
