// Allocation of cluster IPs and node ports to Services: what the repair loops need of it.
import type { Ip } from '../../base/ip-address.ts';
import { claimIpFor, deleteIpAddress, isAllocatedTo } from '../../registry/service/ip-address-objects.ts';
import type { VerbContext } from '../../registry/verb-context.ts';

interface ServiceName {
  readonly namespace?: string;
  readonly name?: string;
}

export interface ServiceAllocator {
  /** Reads all allocations, so that the first request need not do it. */
  warmUp(): Promise<void>;
  /** Whether an address is in the range of a ServiceCIDR. */
  hasAddress(ip: Ip): boolean;
  /** The range of node ports. */
  readonly nodePorts: { readonly first: number; readonly last: number };
  /** Whether several Services use a node port. */
  isShared(nodePort: number): boolean;
  /** Creates the IPAddress of a Service; false if it exists. */
  claimIp(service: ServiceName, ip: Ip): Promise<boolean>;
  /** Whether the IPAddress of this name belongs to the Service. */
  isAllocatedTo(service: ServiceName, ipAddressName: string): boolean;
  /** Deletes an IPAddress, unless it has another uid. */
  releaseIp(ipAddressName: string, uid: string): Promise<void>;
}

export function createServiceAllocator(api: VerbContext): ServiceAllocator {
  const { serviceAllocation } = api;
  return {
    warmUp: () => serviceAllocation.warmUp(),
    hasAddress: (ip) => serviceAllocation.hasAddress(ip),
    nodePorts: serviceAllocation.nodePorts,
    isShared: (nodePort) => serviceAllocation.isShared(nodePort),
    claimIp: (service, ip) => claimIpFor(api, service)(ip),
    isAllocatedTo: (service, ipAddressName) => isAllocatedTo(api, service, ipAddressName),
    releaseIp: (ipAddressName, uid) => deleteIpAddress(api, ipAddressName, uid),
  };
}
