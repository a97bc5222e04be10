// Toleration: validation of the tolerations of pods and RuntimeClasses (upstream: ValidateTolerations).
import { addErrors, type FieldError, invalid, notSupported } from '../../errors/field-error.ts';
import { qualifiedName, validLabelValue } from '../../schema/names.ts';
import type { Toleration } from './toleration.ts';

const taintEffects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTolerations(tolerations: readonly Toleration[], path: string): FieldError[] {
  return tolerations.flatMap((toleration, i) => validateToleration(toleration, `${path}[${i}]`));
}

function validateToleration(toleration: Toleration, path: string): FieldError[] {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  const errors: FieldError[] = [];
  if (key !== '')
    addErrors(
      errors,
      qualifiedName(key).map((problem) => invalid(`${path}.key`, key, problem)),
    );
  else if (operator !== 'Exists') {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalid(`${path}.operator`, operator, detail));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(invalid(`${path}.effect`, effect, detail));
  }
  // kube-apiserver reports an invalid value at `operator`.
  if (operator === 'Equal' || operator === '') {
    const problems = validLabelValue(value);
    if (problems.length > 0) errors.push(invalid(`${path}.operator`, value, problems.join(';')));
  } else if (operator !== 'Exists') {
    errors.push(notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
  } else if (value !== '') {
    errors.push(invalid(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'"));
  }
  if (effect !== '') addErrors(errors, validateTaintEffect(effect, `${path}.effect`));
  return errors;
}

export function validateTaintEffect(effect: string, path: string): FieldError[] {
  return taintEffects.includes(effect) ? [] : [notSupported(path, effect, taintEffects)];
}
