// Container: validation of ports and of references to them.
import {
  addErrors,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { portName, portNumber } from '../../schema/names.ts';
import type { Container, ContainerPort } from './container.ts';

const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];

export function validatePorts(ports: readonly ContainerPort[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, { name, containerPort, hostPort, protocol }] of ports.entries()) {
    const fieldPath = `${path}[${i}]`;
    if (name) {
      const problems = portName(name);
      addErrors(
        errors,
        problems.map((problem) => invalid(`${fieldPath}.name`, name, problem)),
      );
      if (problems.length === 0) {
        if (names.has(name)) errors.push(duplicate(`${fieldPath}.name`, name));
        names.add(name);
      }
    }
    if (containerPort === 0) errors.push(required(`${fieldPath}.containerPort`));
    else addErrors(errors, validatePortNumber(containerPort, `${fieldPath}.containerPort`));
    if (hostPort) addErrors(errors, validatePortNumber(hostPort, `${fieldPath}.hostPort`));
    if (!protocol) errors.push(required(`${fieldPath}.protocol`));
    else if (!protocols.includes(protocol))
      errors.push(notSupported(`${fieldPath}.protocol`, protocol, protocols));
  }
  return errors;
}

function validatePortNumber(port: number, path: string): FieldError[] {
  return portNumber(port).map((problem) => invalid(path, port, problem));
}

/** Validates an IntOrString port: a port number, or the name of a container port. */
export function validatePortReference(port: number | string, path: string): FieldError[] {
  if (typeof port === 'number') return validatePortNumber(port, path);
  return portName(port).map((problem) => invalid(path, port, problem));
}

/** Containers that run at the same time cannot share a hostPort with the same protocol and hostIP. */
export function validateHostPortsUnique(containers: readonly Container[], path: string): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, { ports = [] }] of containers.entries()) {
    for (const [j, { hostPort, hostIP = '', protocol }] of ports.entries()) {
      if (!hostPort) continue;
      const hostPortKey = `${protocol}/${hostIP}/${hostPort}`;
      if (seen.has(hostPortKey)) errors.push(duplicate(`${path}[${i}].ports[${j}].hostPort`, hostPortKey));
      seen.add(hostPortKey);
    }
  }
  return errors;
}
