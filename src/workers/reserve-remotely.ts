// Worker thread: reserves the cluster IPs and node ports of a large Service, which the serving thread allocates. Ports and
// selectors of the Service, which may be very many, stay on the worker.
import type { Service } from '../apis/core/service.ts';
import type { Reservation } from '../kind/hooks.ts';
import type { AddressRules } from '../kind/meta/address-rules.ts';
import { invalidService } from '../registry/service/invalid-service.ts';
import { initIpFamilyFields } from '../registry/service/ip-families.ts';
import { PortAllocationError, type PortOperation } from '../registry/service/node-ports.ts';
import { normalizeClusterIps, patchAllocatedValues } from '../registry/service/patch-allocated-values.ts';
import { allocateServicePorts } from '../registry/service/service-ports.ts';
import type { AddressedService, Questions, ServingThread } from './questions.ts';

/** IPv4 and IPv6. */
const maxFamilies = 2;

/** The session of the write holds the reservation on the serving thread, and releases it if this throws. */
export function reserveRemotely(
  servingThread: ServingThread,
  service: Service,
  old: Service | undefined,
  dryRun: boolean,
  rules: AddressRules,
): Reservation {
  const input = { service: addressedService(service), old: old && addressedService(old), dryRun };
  rejectManyAddresses(input, rules);
  const { selector: _, ...allocated } = servingThread.ask('reserveAddresses', input).spec;
  Object.assign(service.spec, allocated);
  // The serving thread did this without the ports.
  if (old) patchAllocatedValues(service, old);
  allocateServicePorts(service, old, new RemotePortOperation(servingThread));
  return {
    commit: async () => {},
    undo: async () => servingThread.ask('undoReservation', undefined),
  };
}

class RemotePortOperation implements PortOperation {
  /** The serving thread enters the conflict scope when it commits. */
  readonly enter = undefined;
  readonly #servingThread: ServingThread;

  constructor(servingThread: ServingThread) {
    this.#servingThread = servingThread;
  }

  allocate(port: number): void {
    this.#ask(port);
  }

  allocateNext(): number {
    return this.#ask(undefined);
  }

  end(): void {}

  #ask(port: number | undefined): number {
    const answer = this.#servingThread.ask('allocatePort', port);
    if ('problem' in answer) throw new PortAllocationError(answer.problem);
    return answer.port;
  }
}

function addressedService({ metadata, spec }: Service): AddressedService {
  const { name, namespace, uid } = metadata;
  const { ports: _, externalIPs: __, loadBalancerSourceRanges: ___, selector = {}, ...others } = spec;
  // The families of a headless Service depend on whether it has a selector, not on its labels.
  const selectorPart = Object.fromEntries(Object.entries(selector).slice(0, 1));
  return {
    metadata: { name, namespace, uid } as AddressedService['metadata'],
    spec: { ...others, selector: selectorPart },
  };
}

/** A Service with more addresses or families than a cluster has is invalid, whatever is allocated: not worth asking. */
function rejectManyAddresses(input: Questions['reserveAddresses']['input'], rules: AddressRules): void {
  const { clusterIPs = [], ipFamilies = [] } = input.service.spec;
  if (Math.max(clusterIPs.length, ipFamilies.length) <= maxFamilies) return;
  const service = structuredClone(input.service) as Service;
  const old = input.old as Service | undefined;
  if (old) patchAllocatedValues(service, old);
  normalizeClusterIps(service, old);
  const errors = initIpFamilyFields(service, old, [], rules);
  if (errors.length > 0) throw invalidService(service, errors);
}
