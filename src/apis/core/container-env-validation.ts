// Container: validation of env and envFrom (upstream: ValidateEnv, ValidateEnvFrom).
import { addErrors, type FieldError, invalid, required } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import type { EnvFromSource, EnvVar } from './container-env.ts';
import { validateFieldReference, validateResourceReference } from './field-reference-validation.ts';
import { validateKeySelector } from './key-selector-validation.ts';

/**
 * Pod fields that `fieldRef` supports in env. A single label or annotation (`metadata.labels['key']`) is supported as
 * well.
 */
const supportedFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
export function validateEnv(variables: readonly EnvVar[], path: string, context: KindContext): FieldError[] {
  return variables.flatMap((variable, i) => {
    const fieldPath = `${path}[${i}]`;
    const { name } = variable;
    const errors =
      name === ''
        ? [required(`${fieldPath}.name`)]
        : envVarNameProblems(name, context).map((problem) => invalid(`${fieldPath}.name`, name, problem));
    return [...errors, ...validateValueSource(variable, `${fieldPath}.valueFrom`)];
  });
}

const strictPattern = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const strictName = new RegExp(`^${strictPattern}$`);
/** Printable ASCII without `=`. */
const relaxedName = /^[\x20-\x3c\x3e-\x7e]*$/;

/** The problems of a variable name. The feature gate RelaxedEnvironmentVariableValidation lifts most restrictions. */
function envVarNameProblems(name: string, { features }: KindContext): string[] {
  if (features.enabled('RelaxedEnvironmentVariableValidation')) {
    if (relaxedName.test(name)) return [];
    return [
      "a valid environment variable name must consist only of printable ASCII characters other than '='",
    ];
  }
  const problems: string[] = [];
  if (!strictName.test(name)) {
    problems.push(
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit " +
        `(e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '${strictPattern}')`,
    );
  }
  if (name === '.' || name === '..') problems.push(`must not be '${name}'`);
  else if (name.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

/** valueFrom has exactly one source, and is exclusive with a value. */
function validateValueSource({ value, valueFrom }: EnvVar, path: string): FieldError[] {
  if (!valueFrom) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  const errors: FieldError[] = [];
  if (fieldRef) addErrors(errors, validateFieldReference(fieldRef, `${path}.fieldRef`, supportedFields));
  if (resourceFieldRef) {
    addErrors(errors, validateResourceReference(resourceFieldRef, `${path}.resourceFieldRef`));
  }
  if (configMapKeyRef) addErrors(errors, validateKeySelector(configMapKeyRef, `${path}.configMapKeyRef`));
  if (secretKeyRef) addErrors(errors, validateKeySelector(secretKeyRef, `${path}.secretKeyRef`));
  const sourceCount = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter(Boolean).length;
  const reject = (detail: string) => errors.push(invalid(path, '', detail));
  if (sourceCount === 0) {
    reject('must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`');
  }
  if (value) {
    if (sourceCount > 0) reject('may not be specified when `value` is not empty');
  } else if (sourceCount > 1) {
    reject('may not have more than one field specified at a time');
  }
  return errors;
}

function validateObjectName(name: string | undefined, path: string): FieldError[] {
  if (!name) return [required(path)];
  return nameIsSubdomain(name).map((problem) => invalid(path, name, problem));
}

export function validateEnvFrom(
  sources: readonly EnvFromSource[],
  path: string,
  context: KindContext,
): FieldError[] {
  return sources.flatMap(({ prefix, configMapRef, secretRef }, i) => {
    const fieldPath = `${path}[${i}]`;
    const errors: FieldError[] = [];
    if (prefix) {
      addErrors(
        errors,
        envVarNameProblems(prefix, context).map((problem) => invalid(`${fieldPath}.prefix`, prefix, problem)),
      );
    }
    if (configMapRef)
      addErrors(errors, validateObjectName(configMapRef.name, `${fieldPath}.configMapRef.name`));
    if (secretRef) addErrors(errors, validateObjectName(secretRef.name, `${fieldPath}.secretRef.name`));
    // kube-apiserver reports these two at the list, without the item's index.
    if (!configMapRef && !secretRef) {
      errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef && secretRef) {
      errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
    }
    return errors;
  });
}
