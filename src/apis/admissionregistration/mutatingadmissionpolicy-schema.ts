// The schema of MutatingAdmissionPolicy.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { documentedEnum, named, string } from '../../schema/scalars.ts';
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
      doc: 'A CEL expression for an object, `Object{…}`, that is applied to the one written.',
    }),
  },
  { doc: 'A change in the form of server-side apply.' },
);

const JSONPatchV1alpha1 = struct(
  'admissionregistration/v1alpha1.JSONPatch',
  {
    expression: field(1, string, {
      doc: 'A CEL expression for a list of JSON patch operations, `JSONPatch{…}`.',
    }),
  },
  { doc: 'A change in the form of a JSON patch.' },
);

export const MutationV1alpha1 = struct(
  'admissionregistration/v1alpha1.Mutation',
  {
    patchType: field(
      2,
      named('admissionregistration/v1alpha1.PatchType', documentedEnum('ApplyConfiguration', 'JSONPatch')),
      {
        required: true,
        doc: 'Which form the change has. The field for it must be set, and not the other one.',
      },
    ),
    applyConfiguration: field(3, optional(ApplyConfigurationV1alpha1), {
      doc: 'The change, where patchType is ApplyConfiguration.',
    }),
    jsonPatch: field(4, optional(JSONPatchV1alpha1), { doc: 'The change, where patchType is JSONPatch.' }),
  },
  { doc: 'A change that a policy makes.' },
);

export type MutationV1alpha1 = Infer<typeof MutationV1alpha1>;

const MutatingAdmissionPolicySpec = struct(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicySpec',
  {
    paramKind: field(1, optional(ParamKindV1alpha1), {
      doc: 'The kind of its parameters, where it has any.',
    }),
    matchConstraints: field(2, optional(MatchResourcesV1alpha1), {
      doc: 'Which requests it changes. Needed.',
    }),
    variables: field(3, list(VariableV1alpha1, { type: 'atomic' }), {
      doc: 'Parts of expressions. Each may use those before it, and match conditions use none.',
    }),
    mutations: field(4, list(MutationV1alpha1, { type: 'atomic' }), {
      doc: 'The changes, made one after the other. There must be some.',
    }),
    failurePolicy: field(5, optional(failurePolicyTypeV1alpha1), {
      default: 'Fail',
      doc: 'What becomes of a request when an expression fails: Fail or Ignore.',
    }),
    matchConditions: matchConditionsField(6),
    reinvocationPolicy: field(7, reinvocationPolicyType, {
      doc: 'IfNeeded: once more where a later change touched the object. Never: once. Needed.',
    }),
  },
  { doc: 'What a policy changes.' },
);

export const MutatingAdmissionPolicy = kind(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicy',
  { spec: field(2, MutatingAdmissionPolicySpec, { doc: 'What it changes.' }) },
  { doc: 'Changes to objects on their way in, written in CEL. Bindings say where it is in force.' },
);

export type MutatingAdmissionPolicy = Infer<typeof MutatingAdmissionPolicy>;
