// Validation of MutatingAdmissionPolicy.
import type { Dialect } from '../../dialect/dialect.ts';
import { addErrors, type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts';
import type { MutatingAdmissionPolicy, MutationV1alpha1 } from './mutatingadmissionpolicy-schema.ts';
import { validatePolicySpec } from './policy-validation.ts';
import { reinvocationPolicies } from './webhook-validation.ts';

export function validateMutatingPolicy({ spec }: MutatingAdmissionPolicy, { rules }: Dialect): FieldError[] {
  const { mutations = [], reinvocationPolicy = '' } = spec;
  const errors = validatePolicySpec(spec, rules);
  if (mutations.length === 0) {
    errors.push(required('spec.mutations', 'mutations must contain at least one item'));
  }
  for (const [i, mutation] of mutations.entries())
    addErrors(errors, validateMutation(mutation, `spec.mutations[${i}]`));
  if (reinvocationPolicy === '') errors.push(required('spec.reinvocationPolicy'));
  else if (!reinvocationPolicies.includes(reinvocationPolicy)) {
    errors.push(notSupported('spec.reinvocationPolicy', reinvocationPolicy, reinvocationPolicies));
  }
  return errors;
}

type PatchField = 'applyConfiguration' | 'jsonPatch';

/** The field that each patchType requires, and the one that it forbids. */
const fieldsByPatchType = new Map<
  string,
  { readonly requiredField: PatchField; readonly forbiddenField: PatchField }
>([
  ['ApplyConfiguration', { requiredField: 'applyConfiguration', forbiddenField: 'jsonPatch' }],
  ['JSONPatch', { requiredField: 'jsonPatch', forbiddenField: 'applyConfiguration' }],
]);

function validateMutation(mutation: MutationV1alpha1, path: string): FieldError[] {
  const { patchType } = mutation;
  if (patchType === '') return [required(`${path}.patchType`)];
  const fields = fieldsByPatchType.get(patchType);
  if (!fields) return [notSupported(`${path}.patchType`, patchType, [...fieldsByPatchType.keys()])];
  const { requiredField, forbiddenField } = fields;
  const errors: FieldError[] = [];
  const patch = mutation[requiredField];
  if (!patch) {
    errors.push(required(`${path}.${requiredField}`, `must be specified when patchType is ${patchType}`));
  } else if ((patch.expression ?? '').trim() === '') {
    errors.push(required(`${path}.${requiredField}.expression`));
  }
  if (mutation[forbiddenField]) {
    const detail = `must not be specified when patchType is ${patchType}`;
    errors.push(invalid(`${path}.${forbiddenField}`, `{${forbiddenField}}`, detail));
  }
  return errors;
}
