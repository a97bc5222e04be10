import type { Service } from '../../apis/core/service.ts';
import { isHeadless } from '../../apis/core/service-traits.ts';
import type { Cidr } from '../../base/cidr.ts';
import { type Ip, type IpFamily, ipText, readIp } from '../../base/ip-address.ts';
import { internalError } from '../../errors/catalogue.ts';
import { type FieldError, goStringSlice, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Reservation } from '../../kind/hooks.ts';
import { type AddressRules, addressRules } from '../../kind/meta/address-rules.ts';
import type { Store } from '../../store/store.ts';
import type { Api } from '../api.ts';
import { ClusterIps, NoAddress } from './cluster-ips.ts';
import { invalidService } from './invalid-service.ts';
import { settleFamilies } from './ip-families.ts';
import { claimFor, forgetEndpoints, giveBack } from './kept-addresses.ts';
import { NodePorts, type PortRange } from './node-ports.ts';
import { takeServicePorts } from './service-ports.ts';
import { keepWhatWasGivenOut, matchClusterIps } from './what-stays.ts';

export interface ServiceRanges {
  /** One range of addresses for each family; the first is the default. */
  readonly clusterIps: readonly Cidr[];
  readonly nodePorts: PortRange;
}

/** Gives services what they need beyond themselves: addresses inside the cluster, and ports on its nodes. */
export class ServiceAllocation {
  readonly #ips: ClusterIps;
  readonly #ports: NodePorts;
  readonly #rules: AddressRules;

  constructor(store: Store, context: KindContext, ranges: ServiceRanges) {
    this.#ips = new ClusterIps(store, ranges.clusterIps);
    this.#ports = new NodePorts(store, ranges.nodePorts);
    this.#rules = addressRules(context);
  }

  /** Fills in what the service does not ask for, and takes it all. */
  async reserve(api: Api, service: Service, old: Service | undefined, dryRun: boolean): Promise<Reservation> {
    if (old) keepWhatWasGivenOut(service, old);
    matchClusterIps(service, old);
    refuse(service, settleFamilies(service, old, this.#ips.families, this.#rules));
    const taken: string[] = [];
    const ports = this.#ports.begin(dryRun);
    const undo = async () => {
      ports.end();
      await giveBack(api, service.metadata, taken);
    };
    try {
      await this.#takeClusterIps(api, service, old, dryRun, taken);
      takeServicePorts(service, old, ports);
    } catch (error) {
      await undo();
      throw error;
    }
    const commit = async () => {
      ports.end();
      if (old && !dryRun) await giveBack(api, old.metadata, addressesLost(service, old));
    };
    return { enter: ports.enter, commit, undo };
  }

  /** Gives back what a service had that is gone. What cannot be given back now is found later. */
  async release(api: Api, service: Service): Promise<void> {
    const addresses = giveBack(api, service.metadata, addressesOf(service));
    await Promise.allSettled([addresses, forgetEndpoints(api, service)]);
  }

  /** Whether it is an address for services. */
  hasAddress(ip: Ip): boolean {
    return this.#ips.has(ip);
  }

  get nodePorts(): PortRange {
    return this.#ports.range;
  }

  /** Whether several services have a port, as none should. */
  isShared(port: number): boolean {
    return this.#ports.isShared(port);
  }

  /** Learns what is taken, before anybody asks for it. */
  async warmUp(): Promise<void> {
    await this.#ips.warmUp();
    await this.#ports.warmUp();
  }

  reset(): void {
    this.#ips.reset();
    this.#ports.reset();
  }

  /** The names of the addresses go into `taken` one by one, so that they are known if a later one cannot be had. */
  async #takeClusterIps(
    api: Api,
    service: Service,
    old: Service | undefined,
    dryRun: boolean,
    taken: string[],
  ): Promise<void> {
    const { spec } = service;
    if (spec.type === 'ExternalName' || isHeadless(service)) return;
    const had = old && old.spec.type !== 'ExternalName' ? (old.spec.clusterIPs ?? []) : [];
    if (old && had[0] === 'None') return;
    const clusterIPs = [...(spec.clusterIPs ?? [])];
    for (const [i, family] of (spec.ipFamilies ?? []).entries()) {
      if (i < had.length) continue;
      const ip = await this.#takeClusterIp(api, service, family as IpFamily, clusterIPs[i], dryRun);
      if (!dryRun) taken.push(ip.name);
      clusterIPs[i] = ip.text;
    }
    spec.clusterIPs = clusterIPs;
    if (clusterIPs[0]) spec.clusterIP = clusterIPs[0];
  }

  async #takeClusterIp(
    api: Api,
    service: Service,
    family: IpFamily,
    asked: string | undefined,
    dryRun: boolean,
  ): Promise<{ name: string; text: string }> {
    const claim = claimFor(api, service.metadata);
    const ip = asked ? readIp(asked) : undefined;
    try {
      if (!asked || !ip) {
        const found = dryRun ? this.#ips.placeholder(family) : await this.#ips.takeNext(family, claim);
        return { name: ipText(found), text: ipText(found) };
      }
      if (dryRun) this.#ips.check(ip);
      else await this.#ips.take(ip, claim);
      return { name: ipText(ip), text: asked };
    } catch (error) {
      if (!(error instanceof NoAddress)) throw error;
      if (!asked) throw internalError(`failed to allocate a serviceIP: ${error.message}`);
      const shown = goStringSlice(service.spec.clusterIPs ?? []);
      throw invalidService(service, [
        invalid('spec.clusterIPs', shown, `failed to allocate IP ${asked}: ${error.message}`),
      ]);
    }
  }
}

function refuse(service: Service, errors: FieldError[]): void {
  if (errors.length > 0) throw invalidService(service, errors);
}

function addressesOf({ spec }: Service): string[] {
  if (spec.type === 'ExternalName') return [];
  return (spec.clusterIPs ?? []).flatMap((text) => {
    const ip = readIp(text);
    return ip ? [ipText(ip)] : [];
  });
}

function addressesLost(service: Service, old: Service): string[] {
  const kept = addressesOf(service);
  return addressesOf(old).filter((name) => !kept.includes(name));
}
