import type { Service } from '../../apis/core/service.ts';
import {
  mayHaveNodePorts,
  needsHealthCheckNodePort,
  needsNodePorts,
} from '../../apis/core/service-traits.ts';
import { internalError } from '../../errors/catalogue.ts';
import { invalid } from '../../errors/field-error.ts';
import { ApiError } from '../../errors/status.ts';
import { invalidService } from './invalid-service.ts';
import { NoPort, type PortOperation } from './node-ports.ts';

/** Takes the ports on nodes that a service asks for, and others where it leaves the choice. */
export function takeServicePorts(service: Service, old: Service | undefined, operation: PortOperation): void {
  if (mayHaveNodePorts(service)) {
    if (old) takeForUpdate(service, old, operation);
    else takeForCreate(service, operation);
  }
  takeHealthCheckPort(service, old, operation);
}

/** Ports of one number that differ in their protocol share a node port, unless they ask for different ones. */
function takeForCreate(service: Service, operation: PortOperation): void {
  const { ports = [] } = service.spec;
  const shared = new Map<number, number>();
  const asked = new Map<number, number>();
  for (const { port, nodePort } of ports) if (nodePort && !asked.has(port)) asked.set(port, nodePort);
  for (const [i, port] of ports.entries()) {
    if (!port.nodePort && !needsNodePorts(service)) continue;
    const nodePort = shared.get(port.port);
    if (nodePort !== undefined && (!port.nodePort || port.nodePort === nodePort)) {
      port.nodePort = nodePort;
      continue;
    }
    // What a later port of the same number asks for is for all of them.
    port.nodePort ||= asked.get(port.port) ?? 0;
    if (port.nodePort) take(service, i, port.nodePort, operation);
    else port.nodePort = takeNext(operation);
    if (nodePort === undefined) shared.set(port.port, port.nodePort);
  }
}

function takeForUpdate(service: Service, old: Service, operation: PortOperation): void {
  const { ports = [] } = service.spec;
  const had = new Set(old.spec.ports?.map(({ nodePort }) => nodePort));
  const seen = new Set<string>();
  for (const [i, port] of ports.entries()) {
    if (!port.nodePort) {
      if (needsNodePorts(service)) port.nodePort = takeNext(operation);
    } else if (!had.has(port.nodePort)) {
      take(service, i, port.nodePort, operation);
      had.add(port.nodePort);
    }
    if (!port.nodePort) continue;
    const pair = `${port.protocol} ${port.nodePort}`;
    if (seen.has(pair)) throw new ApiError(500, '', `duplicate nodePort: {${pair}}`);
    seen.add(pair);
  }
}

function take(service: Service, index: number, nodePort: number, operation: PortOperation): void {
  try {
    operation.take(nodePort);
  } catch (error) {
    if (!(error instanceof NoPort)) throw error;
    throw invalidService(service, [invalid(`spec.ports[${index}].nodePort`, nodePort, error.message)]);
  }
}

function takeNext(operation: PortOperation): number {
  try {
    return operation.takeNext();
  } catch (error) {
    if (!(error instanceof NoPort)) throw error;
    throw internalError(`failed to allocate a nodePort: ${error.message}`);
  }
}

function takeHealthCheckPort(service: Service, old: Service | undefined, operation: PortOperation): void {
  const { spec } = service;
  if (!needsHealthCheckNodePort(service) || (old && needsHealthCheckNodePort(old))) return;
  const asked = spec.healthCheckNodePort ?? 0;
  try {
    if (asked === 0) spec.healthCheckNodePort = operation.takeNext();
    else operation.take(asked);
  } catch (error) {
    if (!(error instanceof NoPort)) throw error;
    const what = asked === 0 ? 'a HealthCheck NodePort' : `requested HealthCheck NodePort ${asked}`;
    throw internalError(`failed to allocate ${what}: ${error.message}`);
  }
}
