// Ingress: validation of the spec and of the class annotation (upstream: ValidateIngressCreate, ValidateIngressUpdate).
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.

import { parseIp } from '../../base/ip-address.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import {
  addErrors,
  type FieldError,
  FormattedValue,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { dnsLabel1035, dnsSubdomain, portName, portNumber, wildcardSubdomain } from '../../schema/names.ts';
import { validateTypedReference } from '../core/typed-reference-validation.ts';
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressTLS,
} from './ingress.ts';

export function validateIngress({ spec }: Ingress): FieldError[] {
  const { defaultBackend, rules, tls = [], ingressClassName } = spec;
  const errors: FieldError[] = [];
  if (defaultBackend) addErrors(errors, validateBackend(defaultBackend, 'spec.defaultBackend'));
  else if (!rules?.length) {
    // kube-apiserver reports this error at `spec`, but prints the rules.
    const badValue = new FormattedValue(`[]networking.IngressRule${rules ? '{}' : '(nil)'}`);
    errors.push(invalid('spec', badValue, 'either `defaultBackend` or `rules` must be specified'));
  }
  addErrors(
    errors,
    (rules ?? []).flatMap((rule, i) => validateRule(rule, `spec.rules[${i}]`)),
  );
  addErrors(
    errors,
    tls.flatMap((entry, i) => validateTls(entry, `spec.tls[${i}]`)),
  );
  if (ingressClassName !== undefined) {
    const problems = dnsSubdomain(ingressClassName);
    addErrors(
      errors,
      problems.map((problem) => invalid('spec.ingressClassName', ingressClassName, problem)),
    );
  }
  return errors;
}

/** The class annotation and spec.ingressClassName must agree if both are set. */
export function validateClassAnnotation({ metadata, spec }: Ingress, { annotations }: Dialect): FieldError[] {
  const name = annotations.ingressClass;
  const annotation = metadata.annotations?.[name];
  const { ingressClassName } = spec;
  if (!annotation || ingressClassName === undefined || annotation === ingressClassName) return [];
  const problem = 'must match `ingressClassName` when both are specified';
  return [invalid(`annotations.${name}`, annotation, problem)];
}

function validateTls({ hosts = [], secretName }: IngressTLS, path: string): FieldError[] {
  const errors = hosts.flatMap((host, i) => validateHost(host, `${path}.hosts[${i}]`));
  if (!secretName) return errors;
  const problems = dnsSubdomain(secretName);
  return [...errors, ...problems.map((problem) => invalid(`${path}.secretName`, secretName, problem))];
}

function validateHost(host: string, path: string): FieldError[] {
  const problems = host.includes('*') ? wildcardSubdomain(host) : dnsSubdomain(host);
  return problems.map((problem) => invalid(path, host, problem));
}

function validateRule({ host, http }: IngressRule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (host) {
    if (parseIp(host)) errors.push(invalid(`${path}.host`, host, 'must be a DNS name, not an IP address'));
    addErrors(errors, validateHost(host, `${path}.host`));
  }
  if (!http) return errors;
  const { paths = [] } = http;
  if (paths.length === 0) errors.push(required(`${path}.http.paths`));
  const pathErrors = paths.flatMap((httpPath, i) => validatePath(httpPath, `${path}.http.paths[${i}]`));
  return [...errors, ...pathErrors];
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const forbiddenInPath = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenPathEndings = ['/..', '/.'];

function validatePath({ path = '', pathType, backend }: HTTPIngressPath, fieldPath: string): FieldError[] {
  if (pathType === undefined) return [required(`${fieldPath}.pathType`, 'pathType must be specified')];
  const errors: FieldError[] = [];
  const reject = (problem: string) => errors.push(invalid(`${fieldPath}.path`, path, problem));
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!path.startsWith('/')) reject('must be an absolute path');
    if (path !== '') {
      for (const text of forbiddenInPath) if (path.includes(text)) reject(`must not contain '${text}'`);
      for (const text of forbiddenPathEndings) if (path.endsWith(text)) reject(`cannot end with '${text}'`);
    }
  } else if (pathType === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) reject('must be an absolute path');
  } else {
    errors.push(notSupported(`${fieldPath}.pathType`, pathType, pathTypes));
  }
  return [...errors, ...validateBackend(backend, `${fieldPath}.backend`)];
}

function validateBackend({ service, resource }: IngressBackend, path: string): FieldError[] {
  if (service && resource) return [invalid(path, '', 'cannot set both resource and service backends')];
  if (resource) return validateTypedReference(resource, `${path}.resource`);
  if (service) return validateService(service, path);
  return [invalid(path, '', 'resource or service backend is required')];
}

function validateService({ name, port }: IngressServiceBackend, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const addProblems = (field: string, value: unknown, problems: string[]) =>
    addErrors(
      errors,
      problems.map((problem) => invalid(`${path}.service.${field}`, value, problem)),
    );
  if (!name) errors.push(required(`${path}.service.name`));
  else addProblems('name', name, dnsLabel1035(name));
  const { name: portText, number = 0 } = port;
  if (portText && number !== 0) {
    errors.push(invalid(path, '', 'cannot set both port name & port number'));
  } else if (portText) {
    addProblems('port.name', portText, portName(portText));
  } else if (number !== 0) {
    addProblems('port.number', number, portNumber(number));
  } else {
    errors.push(required(path, 'port name or number is required'));
  }
  return errors;
}
