// Validation of MutatingAdmissionPolicy.
import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts';
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
    errors.push(...validateMutation(mutation, `spec.mutations[${i}]`));
  if (reinvocationPolicy === '') errors.push(required('spec.reinvocationPolicy'));
  else if (!reinvocationPolicies.includes(reinvocationPolicy)) {
    errors.push(notSupported('spec.reinvocationPolicy', reinvocationPolicy, reinvocationPolicies));
  }
  return errors;
}

/** The required and the forbidden field of each patchType. */
const patchFields = new Map<
  string,
  readonly ['applyConfiguration' | 'jsonPatch', 'applyConfiguration' | 'jsonPatch']
>([
  ['ApplyConfiguration', ['applyConfiguration', 'jsonPatch']],
  ['JSONPatch', ['jsonPatch', 'applyConfiguration']],
]);

function validateMutation(mutation: MutationV1alpha1, path: string): FieldError[] {
  const { patchType } = mutation;
  if (patchType === '') return [required(`${path}.patchType`)];
  const [field, otherField] = patchFields.get(patchType) ?? [];
  if (!field || !otherField) return [notSupported(`${path}.patchType`, patchType, [...patchFields.keys()])];
  const errors: FieldError[] = [];
  const patch = mutation[field];
  if (!patch) errors.push(required(`${path}.${field}`, `must be specified when patchType is ${patchType}`));
  else if ((patch.expression ?? '').trim() === '') errors.push(required(`${path}.${field}.expression`));
  if (mutation[otherField]) {
    const detail = `must not be specified when patchType is ${patchType}`;
    errors.push(invalid(`${path}.${otherField}`, `{${otherField}}`, detail));
  }
  return errors;
}
