// DRA: validation of devices, drivers, pools, taints and qualified names.

import { isObject } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import {
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
const maxDriverNameLength = 63;
const maxPoolNameLength = 253;

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
  if (Buffer.byteLength(driver) > maxDriverNameLength) errors.push(tooLong(path, maxDriverNameLength));
  return [...errors, ...validateSubdomain(driver, path)];
}

export function validatePoolName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const errors = Buffer.byteLength(name) > maxPoolNameLength ? [tooLong(path, maxPoolNameLength)] : [];
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
    const errors = key ? validateKey(key, `${fieldPath}.key`) : [];
    if (operator === '') errors.push(required(`${fieldPath}.operator`));
    else if (!operators.includes(operator))
      errors.push(notSupported(`${fieldPath}.operator`, operator, operators));
    if (operator === 'Exists' && value !== '') {
      errors.push(invalid(`${fieldPath}.value`, value, 'must be empty for operator `Exists`'));
    } else if (operator === 'Equal') {
      errors.push(...validLabelValue(value).map((problem) => invalid(`${fieldPath}.value`, value, problem)));
    }
    if (effect && !effects.includes(effect))
      errors.push(notSupported(`${fieldPath}.effect`, effect, effects));
    return errors;
  });
}

export function validateTaint({ key, value = '', effect }: DeviceTaint, path: string): FieldError[] {
  const errors = validateKey(key, `${path}.key`);
  errors.push(...validLabelValue(value).map((problem) => invalid(`${path}.value`, value, problem)));
  if (effect === '') errors.push(required(`${path}.effect`));
  else if (!effects.includes(effect)) errors.push(notSupported(`${path}.effect`, effect, effects));
  return errors;
}

function validateKey(key: string, path: string): FieldError[] {
  return qualifiedName(key).map((problem) => invalid(path, key, problem));
}

const maxDomainLength = 63;
const maxIdentifierLength = 32;
const identifierRule =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' " +
  "(e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

/** Requires the name of an attribute or capacity: a C identifier with an optional `domain/` prefix. */
export function validateQualifiedName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, 'name required')];
  const slash = name.indexOf('/');
  return slash < 0 ? validateIdentifier(name, path) : validateParts(name, slash, path);
}

/** Requires a C identifier with a `domain/` prefix. */
export function validateFullyQualifiedName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, 'name required')];
  const slash = name.indexOf('/');
  if (slash >= 0) return validateParts(name, slash, path);
  return [...validateIdentifier(name, path), invalid(path, name, 'must include a domain')];
}

function validateParts(name: string, slash: number, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const domain = name.slice(0, slash);
  // As in kube-apiserver, text after a second slash is not validated.
  const identifier = name.slice(slash + 1).split('/', 1)[0]!;
  if (domain === '') errors.push(required(path, 'the domain must not be empty'));
  else {
    if (Buffer.byteLength(domain) > maxDomainLength) errors.push(tooLong(path, maxDomainLength));
    errors.push(...validateSubdomain(domain, path));
  }
  if (identifier === '') errors.push(required(path, 'the name must not be empty'));
  else errors.push(...validateIdentifier(identifier, path));
  return errors;
}

function validateIdentifier(name: string, path: string): FieldError[] {
  const errors = Buffer.byteLength(name) > maxIdentifierLength ? [tooLong(path, maxIdentifierLength)] : [];
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) errors.push(typeInvalid(path, name, identifierRule));
  return errors;
}
