// Allocates cluster IPs and node ports when a Service is written, and releases them when it changes or is deleted.
import type { Service } from '../../apis/core/service.ts';
import { isHeadless } from '../../apis/core/service-traits.ts';
import type { Cidr } from '../../base/cidr.ts';
import { formatIp, type Ip, type IpFamily, parseIp } from '../../base/ip-address.ts';
import { internalError } from '../../errors/catalogue.ts';
import { type FieldError, goStringSlice, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Reservation } from '../../kind/hooks.ts';
import { type AddressRules, addressRules } from '../../kind/meta/address-rules.ts';
import type { Store } from '../../store/store.ts';
import type { VerbContext } from '../verb-context.ts';
import { ClusterIpAllocator, IpAllocationError } from './cluster-ips.ts';
import { invalidService } from './invalid-service.ts';
import { claimIpFor, deleteEndpoints, releaseIps } from './ip-address-objects.ts';
import { initIpFamilyFields } from './ip-families.ts';
import { NodePortAllocator, type PortOperation, type PortRange } from './node-ports.ts';
import { normalizeClusterIps, patchAllocatedValues } from './patch-allocated-values.ts';
import { allocateServicePorts } from './service-ports.ts';

/** --service-cluster-ip-range and --service-node-port-range. */
export interface ServiceRanges {
  /** One CIDR for each IP family; the first is the default family. */
  readonly clusterIps: readonly Cidr[];
  readonly nodePorts: PortRange;
}

/**
 * The allocators of one server. `reserve` runs before a Service is written, and `release` after it is deleted. The
 * server's own writes of IPAddress objects are done with `api`.
 */
export class ServiceAllocation {
  readonly #ips: ClusterIpAllocator;
  readonly #ports: NodePortAllocator;
  readonly #rules: AddressRules;

  constructor(store: Store, context: KindContext, ranges: ServiceRanges) {
    this.#ips = new ClusterIpAllocator(store, ranges.clusterIps);
    this.#ports = new NodePortAllocator(store, ranges.nodePorts);
    this.#rules = addressRules(context);
  }

  /** Defaults the IP family fields and allocates addresses and ports. The caller commits or undoes the reservation. */
  async reserve(
    api: VerbContext,
    service: Service,
    old: Service | undefined,
    dryRun: boolean,
  ): Promise<Reservation> {
    const addresses = await this.reserveAddresses(api, service, old, dryRun);
    const ports = this.beginPorts(dryRun);
    try {
      allocateServicePorts(service, old, ports);
    } catch (error) {
      await withPorts(addresses, ports).undo();
      throw error;
    }
    return withPorts(addresses, ports);
  }

  /** The first part of `reserve`: the IP families and cluster IPs, and what an update keeps of the old Service. */
  async reserveAddresses(
    api: VerbContext,
    service: Service,
    old: Service | undefined,
    dryRun: boolean,
  ): Promise<Reservation> {
    if (old) patchAllocatedValues(service, old);
    normalizeClusterIps(service, old);
    assertNoErrors(service, initIpFamilyFields(service, old, this.#ips.families, this.#rules));
    const allocatedNames: string[] = [];
    const undo = () => releaseIps(api, service.metadata, allocatedNames);
    try {
      await this.#allocateClusterIps(api, service, old, dryRun, allocatedNames);
    } catch (error) {
      await undo();
      throw error;
    }
    const commit = async () => {
      if (old && !dryRun) await releaseIps(api, old.metadata, releasedAddresses(service, old));
    };
    return { commit, undo };
  }

  /** The second part of `reserve`: begins the allocation of node ports. */
  beginPorts(dryRun: boolean): PortOperation {
    return this.#ports.beginOperation(dryRun);
  }

  /** Releases the addresses of a deleted Service. Ignores failures: the repair controller releases leaked addresses. */
  async release(api: VerbContext, service: Service): Promise<void> {
    const addresses = releaseIps(api, service.metadata, addressesOf(service));
    await Promise.allSettled([addresses, deleteEndpoints(api, service)]);
  }

  /** Whether the address is in a ServiceCIDR. */
  hasAddress(ip: Ip): boolean {
    return this.#ips.isInServiceCidr(ip);
  }

  get nodePorts(): PortRange {
    return this.#ports.range;
  }

  /** Whether several Services use the node port, which is an inconsistency. */
  isShared(port: number): boolean {
    return this.#ports.isShared(port);
  }

  /** Reads the allocated addresses and ports before the first request. */
  async warmUp(): Promise<void> {
    await this.#ips.warmUp();
    await this.#ports.warmUp();
  }

  reset(): void {
    this.#ips.reset();
    this.#ports.reset();
  }

  /**
   * Adds the name of each IPAddress to `allocatedNames` at once, so that the caller can release it if a later
   * allocation fails.
   */
  async #allocateClusterIps(
    api: VerbContext,
    service: Service,
    old: Service | undefined,
    dryRun: boolean,
    allocatedNames: string[],
  ): Promise<void> {
    const { spec } = service;
    if (spec.type === 'ExternalName' || isHeadless(service)) return;
    const oldClusterIPs = old && old.spec.type !== 'ExternalName' ? (old.spec.clusterIPs ?? []) : [];
    if (old && oldClusterIPs[0] === 'None') return;
    const clusterIPs = [...(spec.clusterIPs ?? [])];
    for (const [i, family] of (spec.ipFamilies ?? []).entries()) {
      // An update keeps its addresses, and only adds one for a new family.
      if (i < oldClusterIPs.length) continue;
      const ip = await this.#allocateClusterIp(api, service, family as IpFamily, clusterIPs[i], dryRun);
      if (!dryRun) allocatedNames.push(ip.name);
      clusterIPs[i] = ip.text;
    }
    spec.clusterIPs = clusterIPs;
    if (clusterIPs[0]) spec.clusterIP = clusterIPs[0];
  }

  /** Returns the name of the IPAddress object, and the address as the Service shows it (as requested, if it was). */
  async #allocateClusterIp(
    api: VerbContext,
    service: Service,
    family: IpFamily,
    requested: string | undefined,
    dryRun: boolean,
  ): Promise<{ name: string; text: string }> {
    const claim = claimIpFor(api, service.metadata);
    const ip = requested ? parseIp(requested) : undefined;
    try {
      if (!requested || !ip) {
        const allocated = dryRun
          ? this.#ips.dryRunAddress(family)
          : await this.#ips.allocateNext(family, claim);
        return { name: formatIp(allocated), text: formatIp(allocated) };
      }
      if (dryRun) this.#ips.assertInServiceCidr(ip);
      else await this.#ips.allocate(ip, claim);
      return { name: formatIp(ip), text: requested };
    } catch (error) {
      if (!(error instanceof IpAllocationError)) throw error;
      if (!requested) throw internalError(`failed to allocate a serviceIP: ${error.message}`);
      const clusterIPs = goStringSlice(service.spec.clusterIPs ?? []);
      throw invalidService(service, [
        invalid('spec.clusterIPs', clusterIPs, `failed to allocate IP ${requested}: ${error.message}`),
      ]);
    }
  }
}

/** The reservation of the addresses and the node ports of a Service. */
export function withPorts(addresses: Reservation, ports: PortOperation): Reservation {
  return {
    enter: ports.enter,
    commit: () => {
      ports.end();
      return addresses.commit();
    },
    undo: () => {
      ports.end();
      return addresses.undo();
    },
  };
}

function assertNoErrors(service: Service, errors: FieldError[]): void {
  if (errors.length > 0) throw invalidService(service, errors);
}

/** The cluster IPs of a Service in canonical form, which are the names of their IPAddress objects. */
function addressesOf({ spec }: Service): string[] {
  if (spec.type === 'ExternalName') return [];
  return (spec.clusterIPs ?? []).flatMap((text) => {
    const ip = parseIp(text);
    return ip ? [formatIp(ip)] : [];
  });
}

/** The addresses that an update no longer uses. */
function releasedAddresses(service: Service, old: Service): string[] {
  const kept = addressesOf(service);
  return addressesOf(old).filter((name) => !kept.includes(name));
}
