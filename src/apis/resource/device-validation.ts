// DRA (dynamic resource allocation): validation of the parts that several kinds have in common: device
// configurations, drivers, pools, taints, tolerations, and the qualified names of attributes.

import { isObject } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import {
  addErrors,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  typeInvalid,
} from '../../errors/field-error.ts';
import { dnsLabel, dnsSubdomain, qualifiedName, validLabelValue } from '../../schema/names.ts';
import type { DeviceConfiguration, DeviceTaint, DeviceToleration } from './device-parts.ts';

const maxParametersBytes = 10 * 1024;
const maxDriverNameBytes = 63;
const maxPoolNameBytes = 253;

/** Requires `opaque`, the only kind of configuration. */
export function validateConfiguration({ opaque }: DeviceConfiguration, path: string): FieldError[] {
  if (!opaque) return [required(`${path}.opaque`)];
  return [
    ...validateDriver(opaque.driver, `${path}.opaque.driver`),
    ...validateParameters(opaque.parameters, `${path}.opaque.parameters`),
  ];
}

/** Opaque driver parameters must be a JSON object of limited size. */
export function validateParameters(parameters: unknown, path: string): FieldError[] {
  if (parameters === undefined || parameters === null) return [required(path)];
  if (Buffer.byteLength(stringifyJson(parameters)) > maxParametersBytes)
    return [tooLong(path, maxParametersBytes)];
  if (isObject(parameters)) return [];
  return [invalid(path, '<value omitted>', 'parameters must be a valid JSON object')];
}

export function validateDriver(driver: string, path: string): FieldError[] {
  const errors: FieldError[] = driver === '' ? [required(path)] : [];
  if (Buffer.byteLength(driver) > maxDriverNameBytes) errors.push(tooLong(path, maxDriverNameBytes));
  return [...errors, ...validateSubdomain(driver, path)];
}

export function validatePoolName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const errors = Buffer.byteLength(name) > maxPoolNameBytes ? [tooLong(path, maxPoolNameBytes)] : [];
  return [...errors, ...name.split('/').flatMap((part) => validateSubdomain(part, path))];
}

export function validateSubdomain(name: string, path: string): FieldError[] {
  return dnsSubdomain(name).map((problem) => invalid(path, name, problem));
}

export function validateLabelName(name: string, path: string): FieldError[] {
  return dnsLabel(name).map((problem) => invalid(path, name, problem));
}

const effects = ['NoExecute', 'NoSchedule'];
const operators = ['Equal', 'Exists'];

export function validateTolerations(
  tolerations: readonly DeviceToleration[] = [],
  path: string,
): FieldError[] {
  return tolerations.flatMap(({ key, operator = '', value = '', effect }, i) => {
    const fieldPath = `${path}[${i}]`;
    const errors = key ? validateTaintKey(key, `${fieldPath}.key`) : [];
    if (operator === '') errors.push(required(`${fieldPath}.operator`));
    else if (!operators.includes(operator))
      errors.push(notSupported(`${fieldPath}.operator`, operator, operators));
    if (operator === 'Exists' && value !== '') {
      errors.push(invalid(`${fieldPath}.value`, value, 'must be empty for operator `Exists`'));
    } else if (operator === 'Equal') {
      addErrors(
        errors,
        validLabelValue(value).map((problem) => invalid(`${fieldPath}.value`, value, problem)),
      );
    }
    if (effect && !effects.includes(effect))
      errors.push(notSupported(`${fieldPath}.effect`, effect, effects));
    return errors;
  });
}

export function validateTaint({ key, value = '', effect }: DeviceTaint, path: string): FieldError[] {
  const errors = validateTaintKey(key, `${path}.key`);
  addErrors(
    errors,
    validLabelValue(value).map((problem) => invalid(`${path}.value`, value, problem)),
  );
  if (effect === '') errors.push(required(`${path}.effect`));
  else if (!effects.includes(effect)) errors.push(notSupported(`${path}.effect`, effect, effects));
  return errors;
}

function validateTaintKey(key: string, path: string): FieldError[] {
  return qualifiedName(key).map((problem) => invalid(path, key, problem));
}

const maxDomainBytes = 63;
const maxIdentifierBytes = 32;
const identifierRule =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' " +
  "(e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

/** Requires the name of an attribute or capacity: a C identifier with an optional `domain/` prefix. */
export function validateQualifiedName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, 'name required')];
  const slash = name.indexOf('/');
  return slash < 0 ? validateIdentifier(name, path) : validateDomainAndIdentifier(name, slash, path);
}

/** Requires a C identifier with a `domain/` prefix. */
export function validateFullyQualifiedName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, 'name required')];
  const slash = name.indexOf('/');
  if (slash >= 0) return validateDomainAndIdentifier(name, slash, path);
  return [...validateIdentifier(name, path), invalid(path, name, 'must include a domain')];
}

function validateDomainAndIdentifier(name: string, slash: number, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const domain = name.slice(0, slash);
  // As in kube-apiserver, text after a second slash is not validated.
  const identifier = name.slice(slash + 1).split('/', 1)[0]!;
  if (domain === '') errors.push(required(path, 'the domain must not be empty'));
  else {
    if (Buffer.byteLength(domain) > maxDomainBytes) errors.push(tooLong(path, maxDomainBytes));
    addErrors(errors, validateSubdomain(domain, path));
  }
  if (identifier === '') errors.push(required(path, 'the name must not be empty'));
  else addErrors(errors, validateIdentifier(identifier, path));
  return errors;
}

function validateIdentifier(name: string, path: string): FieldError[] {
  const errors = Buffer.byteLength(name) > maxIdentifierBytes ? [tooLong(path, maxIdentifierBytes)] : [];
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) errors.push(typeInvalid(path, name, identifierRule));
  return errors;
}
