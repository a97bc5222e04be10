// Service IP and node port repair: checks cluster IPs and node ports of Services, and reports conflicts as Events.
import type { Service } from '../../apis/core/service.ts';
import { isHeadless } from '../../apis/core/service-traits.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { formatIp, type Ip, parseIp } from '../../base/ip-address.ts';
import { tryDecodeStored } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';
import { claimIpFor, isAllocatedTo } from '../../registry/service/ip-address-objects.ts';
import type { EventRecorder } from '../runtime/event-recorder.ts';

/** Event sources, named as upstream's repair controllers. */
export const addressRepairer = 'ipallocator-repair-controller';
const portRepairer = 'portallocator-repair-controller';

export class ServiceRepair {
  readonly #api: Api;
  readonly #events: EventRecorder;
  #closed = false;

  constructor(api: Api, events: EventRecorder) {
    this.#api = api;
    this.#events = events;
  }

  /** Restores missing allocations, and reports those that it cannot repair. */
  async reconcile(): Promise<void> {
    const { store, registry } = this.#api;
    const resource = registry.kind('', 'v1', 'services');
    const view = store.pin();
    const keys = [...view.keys(resource.range(''))];
    view.release();
    const turns = new CooperativeYield();
    for (const key of keys) {
      await turns.next();
      if (this.#closed) return;
      const stored = store.get(key);
      const service = stored && (tryDecodeStored(resource, stored) as Service | undefined);
      if (!service || service.spec.type === 'ExternalName') continue;
      if (!isHeadless(service)) {
        for (const text of service.spec.clusterIPs ?? []) await this.#lookAtAddress(service, text);
      }
      this.#lookAtPorts(service);
    }
  }

  close(): void {
    this.#closed = true;
  }

  async #lookAtAddress(service: Service, text: string): Promise<void> {
    const { serviceAllocation } = this.#api;
    const ip = parseIp(text);
    if (!ip) return;
    const what = `Cluster IP [${ip.family}]: ${formatIp(ip)}`;
    if (!serviceAllocation.hasAddress(ip)) {
      const message = `${what} is not within any configured Service CIDR; please recreate service`;
      this.#say(service, 'ClusterIPOutOfRange', message);
    } else if (!this.#isWrittenDown(ip)) {
      sayNotAllocated(this.#events, service.metadata, ip);
      await claimIpFor(this.#api, service.metadata)(ip);
    } else if (!isAllocatedTo(this.#api, service.metadata, formatIp(ip))) {
      const message = `${what} was assigned to multiple services; please recreate service`;
      this.#say(service, 'ClusterIPAlreadyAllocated', message);
    }
  }

  #isWrittenDown(ip: Ip): boolean {
    return this.#api.store.get(`ipaddresses/${formatIp(ip)}`) !== undefined;
  }

  #lookAtPorts(service: Service): void {
    const { serviceAllocation } = this.#api;
    const { first, last } = serviceAllocation.nodePorts;
    const { ports = [], healthCheckNodePort } = service.spec;
    for (const port of new Set([...ports.map(({ nodePort }) => nodePort), healthCheckNodePort])) {
      if (!port) continue;
      if (port < first || port > last) {
        const message = `Port ${port} is not within the port range ${first}-${last}; please recreate service`;
        this.#say(service, 'PortOutOfRange', message);
      } else if (serviceAllocation.isShared(port)) {
        const message = `Port ${port} was assigned to multiple services; please recreate service`;
        this.#say(service, 'PortAlreadyAllocated', message);
      }
    }
  }

  #say({ metadata }: Service, reason: string, message: string): void {
    const isOfPort = reason.startsWith('Port');
    this.#events.record({
      involvedObject: subjectOf(metadata),
      type: 'Warning',
      reason,
      message,
      action: isOfPort ? 'PortAllocation' : 'ClusterIPAllocation',
      component: isOfPort ? portRepairer : addressRepairer,
    });
  }
}

/** Reports a cluster IP that was not allocated, and that it is now. */
export function sayNotAllocated(events: EventRecorder, metadata: Service['metadata'], ip: Ip): void {
  events.record({
    involvedObject: subjectOf(metadata),
    type: 'Warning',
    reason: 'ClusterIPNotAllocated',
    message: `Cluster IP [${ip.family}]: ${formatIp(ip)} is not allocated; repairing`,
    action: 'ClusterIPAllocation',
    component: addressRepairer,
  });
}

function subjectOf({ name, namespace, uid, resourceVersion }: Service['metadata']) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    name: name!,
    namespace: namespace!,
    uid: uid!,
    ...(resourceVersion && { resourceVersion }),
  };
}
