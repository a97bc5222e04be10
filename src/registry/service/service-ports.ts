// Allocates the node ports and the healthCheckNodePort of one Service.
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
import { PortAllocationError, type PortOperation } from './node-ports.ts';

/** Allocates the requested node ports, and free ones where the Service needs a port and requests none. */
export function allocateServicePorts(
  service: Service,
  old: Service | undefined,
  operation: PortOperation,
): void {
  if (mayHaveNodePorts(service)) {
    if (old) allocateForUpdate(service, old, operation);
    else allocateForCreate(service, operation);
  }
  allocateHealthCheckPort(service, old, operation);
}

/** Ports with the same `port` and different protocols share a node port, unless they request different ones. */
function allocateForCreate(service: Service, operation: PortOperation): void {
  const { ports = [] } = service.spec;
  // Node ports by `port`: those allocated so far, and the first that the Service requests.
  const allocated = new Map<number, number>();
  const requested = new Map<number, number>();
  for (const { port, nodePort } of ports) {
    if (nodePort && !requested.has(port)) requested.set(port, nodePort);
  }
  for (const [i, port] of ports.entries()) {
    if (!port.nodePort && !needsNodePorts(service)) continue;
    const sharedPort = allocated.get(port.port);
    if (sharedPort !== undefined && (!port.nodePort || port.nodePort === sharedPort)) {
      port.nodePort = sharedPort;
      continue;
    }
    // A node port requested by a later entry with the same `port` applies to all of them.
    port.nodePort ||= requested.get(port.port) ?? 0;
    if (port.nodePort) allocatePort(service, i, port.nodePort, operation);
    else port.nodePort = allocateNextPort(operation);
    if (sharedPort === undefined) allocated.set(port.port, port.nodePort);
  }
}

function allocateForUpdate(service: Service, old: Service, operation: PortOperation): void {
  const { ports = [] } = service.spec;
  const oldNodePorts = new Set(old.spec.ports?.map(({ nodePort }) => nodePort));
  const seen = new Set<string>();
  for (const [i, port] of ports.entries()) {
    if (!port.nodePort) {
      if (needsNodePorts(service)) port.nodePort = allocateNextPort(operation);
    } else if (!oldNodePorts.has(port.nodePort)) {
      allocatePort(service, i, port.nodePort, operation);
      oldNodePorts.add(port.nodePort);
    }
    if (!port.nodePort) continue;
    const pair = `${port.protocol} ${port.nodePort}`;
    if (seen.has(pair)) throw new ApiError(500, '', `duplicate nodePort: {${pair}}`);
    seen.add(pair);
  }
}

function allocatePort(service: Service, index: number, nodePort: number, operation: PortOperation): void {
  try {
    operation.allocate(nodePort);
  } catch (error) {
    if (!(error instanceof PortAllocationError)) throw error;
    throw invalidService(service, [invalid(`spec.ports[${index}].nodePort`, nodePort, error.message)]);
  }
}

function allocateNextPort(operation: PortOperation): number {
  try {
    return operation.allocateNext();
  } catch (error) {
    if (!(error instanceof PortAllocationError)) throw error;
    throw internalError(`failed to allocate a nodePort: ${error.message}`);
  }
}

function allocateHealthCheckPort(service: Service, old: Service | undefined, operation: PortOperation): void {
  const { spec } = service;
  if (!needsHealthCheckNodePort(service) || (old && needsHealthCheckNodePort(old))) return;
  const requested = spec.healthCheckNodePort ?? 0;
  try {
    if (requested === 0) spec.healthCheckNodePort = operation.allocateNext();
    else operation.allocate(requested);
  } catch (error) {
    if (!(error instanceof PortAllocationError)) throw error;
    const port = requested === 0 ? 'a HealthCheck NodePort' : `requested HealthCheck NodePort ${requested}`;
    throw internalError(`failed to allocate ${port}: ${error.message}`);
  }
}
