// Validation of ParamKind and ParamRef.
import {
  addErrors,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { dnsLabel1035, dnsSubdomain, nameIsPathSegment } from '../../schema/names.ts';
import type { ParamKind, ParamRef } from './params.ts';

export function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, path: string): FieldError[] {
  const errors = apiVersion === '' ? [required(`${path}.apiVersion`)] : [];
  if (apiVersion !== '') addErrors(errors, validateApiVersion(apiVersion, `${path}.apiVersion`));
  if (kind === '') errors.push(required(`${path}.kind`));
  for (const problem of kind === '' ? [] : dnsLabel1035(kind.toLowerCase())) {
    const detail = `may have mixed case, but should otherwise match: ${problem}`;
    errors.push(invalid(`${path}.kind`, kind, detail));
  }
  return errors;
}

function validateApiVersion(apiVersion: string, path: string): FieldError[] {
  const parts = apiVersion.split('/');
  if (parts.length > 2) {
    return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  }
  const version = parts.at(-1)!;
  const group = parts.length === 2 ? parts[0]! : '';
  const errors: FieldError[] = [];
  for (const problem of group === '' ? [] : dnsSubdomain(group)) errors.push(invalid(path, group, problem));
  if (version === '') errors.push(invalid(path, apiVersion, 'version must be specified'));
  else
    addErrors(
      errors,
      dnsLabel1035(version).map((problem) => invalid(path, version, problem)),
    );
  return errors;
}

const notFoundActions = ['Deny', 'Allow'];

export function validateParamRef(ref: ParamRef, path: string): FieldError[] {
  const { name = '', selector, parameterNotFoundAction: action } = ref;
  const errors: FieldError[] = [];
  for (const problem of nameIsPathSegment(name)) errors.push(invalid(`${path}.name`, name, problem));
  if (name === '' && !selector) {
    errors.push(required(path, 'one of name or selector must be specified'));
  }
  if (name !== '' && selector) {
    const detail = 'name and selector are mutually exclusive';
    errors.push(forbidden(`${path}.name`, detail), forbidden(`${path}.selector`, detail));
  }
  addErrors(errors, validateLabelSelector(selector, `${path}.selector`));
  if (!action) errors.push(required(`${path}.parameterNotFoundAction`));
  else if (!notFoundActions.includes(action)) {
    errors.push(notSupported(`${path}.parameterNotFoundAction`, action, notFoundActions));
  }
  return errors;
}
