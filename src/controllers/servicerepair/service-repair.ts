// Service IP and node port repair: checks cluster IPs and node ports of Services, and reports conflicts as Events.
import type { Service } from '../../apis/core/service.ts';
import { isHeadless } from '../../apis/core/service-traits.ts';
import type { IPAddress } from '../../apis/networking/ipaddress.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { formatIp, type Ip, parseIp } from '../../base/ip-address.ts';
import type { Lister } from '../../client/lister.ts';
import type { EventRecorder } from '../runtime/event-recorder.ts';
import type { ServiceAllocator } from '../runtime/service-allocator.ts';

/** Event sources, named as upstream's repair controllers. */
export const ipRepairComponent = 'ipallocator-repair-controller';
const portRepairComponent = 'portallocator-repair-controller';

export interface ServiceRepairContext {
  readonly services: Lister<Service>;
  readonly ipAddresses: Lister<IPAddress>;
  readonly allocator: ServiceAllocator;
  readonly events: EventRecorder;
}

export class ServiceRepair {
  readonly #context: ServiceRepairContext;
  #isClosed = false;

  constructor(context: ServiceRepairContext) {
    this.#context = context;
  }

  /** Restores missing allocations, and reports those that it cannot repair. */
  async reconcile(): Promise<void> {
    const { services } = this.#context;
    const yielder = new CooperativeYield();
    for (const key of services.keys()) {
      await yielder.next();
      if (this.#isClosed) return;
      const service = services.getByKey(key)?.tryDecode();
      if (!service || service.spec.type === 'ExternalName') continue;
      if (!isHeadless(service)) {
        for (const clusterIp of service.spec.clusterIPs ?? []) await this.#repairAddress(service, clusterIp);
      }
      this.#reportInvalidPorts(service);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  async #repairAddress(service: Service, clusterIp: string): Promise<void> {
    const { allocator, events, ipAddresses } = this.#context;
    const ip = parseIp(clusterIp);
    if (!ip) return;
    const subject = `Cluster IP [${ip.family}]: ${formatIp(ip)}`;
    if (!allocator.hasAddress(ip)) {
      const message = `${subject} is not within any configured Service CIDR; please recreate service`;
      this.#recordEvent(service, 'ClusterIPOutOfRange', message);
    } else if (!ipAddresses.get('', formatIp(ip))) {
      recordNotAllocated(events, service.metadata, ip);
      await allocator.claimIp(service.metadata, ip);
    } else if (!allocator.isAllocatedTo(service.metadata, formatIp(ip))) {
      const message = `${subject} was assigned to multiple services; please recreate service`;
      this.#recordEvent(service, 'ClusterIPAlreadyAllocated', message);
    }
  }

  #reportInvalidPorts(service: Service): void {
    const { allocator } = this.#context;
    const { first, last } = allocator.nodePorts;
    const { ports = [], healthCheckNodePort } = service.spec;
    for (const port of new Set([...ports.map(({ nodePort }) => nodePort), healthCheckNodePort])) {
      if (!port) continue;
      if (port < first || port > last) {
        const message = `Port ${port} is not within the port range ${first}-${last}; please recreate service`;
        this.#recordEvent(service, 'PortOutOfRange', message);
      } else if (allocator.isShared(port)) {
        const message = `Port ${port} was assigned to multiple services; please recreate service`;
        this.#recordEvent(service, 'PortAlreadyAllocated', message);
      }
    }
  }

  #recordEvent({ metadata }: Service, reason: string, message: string): void {
    const isPort = reason.startsWith('Port');
    this.#context.events.record({
      involvedObject: serviceReference(metadata),
      type: 'Warning',
      reason,
      message,
      action: isPort ? 'PortAllocation' : 'ClusterIPAllocation',
      component: isPort ? portRepairComponent : ipRepairComponent,
    });
  }
}

/** Reports a cluster IP that was not allocated, and that it is now. */
export function recordNotAllocated(events: EventRecorder, metadata: Service['metadata'], ip: Ip): void {
  events.record({
    involvedObject: serviceReference(metadata),
    type: 'Warning',
    reason: 'ClusterIPNotAllocated',
    message: `Cluster IP [${ip.family}]: ${formatIp(ip)} is not allocated; repairing`,
    action: 'ClusterIPAllocation',
    component: ipRepairComponent,
  });
}

function serviceReference({ name, namespace, uid, resourceVersion }: Service['metadata']) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    name: name!,
    namespace: namespace!,
    uid: uid!,
    ...(resourceVersion && { resourceVersion }),
  };
}
