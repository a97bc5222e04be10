// Allocates cluster IPs of Services from the ServiceCIDRs.
import { randomBytes } from 'node:crypto';
import { addressCount, assignableRange, type Cidr, formatCidr } from '../../base/cidr.ts';
import { formatIp, type Ip, type IpFamily, parseIp } from '../../base/ip-address.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import { isAssignable, ServiceCidrs } from './service-cidrs.ts';

/** The requested address, or any address of the family, cannot be allocated. */
export class IpAllocationError extends Error {}

/** Creates the IPAddress object of an address; false if it exists already. */
export type ClaimIp = (ip: Ip) => Promise<boolean>;

/**
 * Invariant: an address is allocated by creating its IPAddress object before the Service is written. That create succeeds
 * once, even if several servers share the store.
 */
export class ClusterIpAllocator {
  /** --service-cluster-ip-range: one CIDR for each family; the first is the default family. */
  readonly defaults: readonly Cidr[];
  readonly #ranges: ServiceCidrs;
  /** Addresses with an IPAddress object. */
  readonly #used: Record<IpFamily, Set<bigint>> = { IPv4: new Set(), IPv6: new Set() };
  /** Addresses whose IPAddress object is being created. */
  readonly #pending: Record<IpFamily, Set<bigint>> = { IPv4: new Set(), IPv6: new Set() };
  readonly #follower: Reflector;

  constructor(store: Store, defaults: readonly Cidr[]) {
    this.defaults = defaults;
    this.#ranges = new ServiceCidrs(store);
    const used = this.#used;
    this.#follower = new Reflector(store, 'ipaddresses', {
      add(object) {
        const ip = addressOf(object);
        if (ip) used[ip.family].add(ip.value);
      },
      remove(object) {
        const ip = addressOf(object);
        if (ip) used[ip.family].delete(ip.value);
      },
      clear() {
        used.IPv4.clear();
        used.IPv6.clear();
      },
    });
  }

  warmUp(): Promise<void> {
    return this.#follower.warmUp();
  }

  get families(): IpFamily[] {
    return this.defaults.map(({ family }) => family);
  }

  /** Allocates the requested address. */
  async take(ip: Ip, claim: ClaimIp): Promise<void> {
    this.#follower.sync();
    this.check(ip);
    if (this.#isTaken(ip.family, ip.value) || !(await this.#claim(ip, claim)))
      throw new IpAllocationError('provided IP is already allocated');
  }

  /** Whether the address is in a ServiceCIDR. */
  has(ip: Ip): boolean {
    return this.#ranges.of(ip.family).some((range) => isAssignable(range, ip));
  }

  /** Throws if the address is outside every ServiceCIDR. */
  check(ip: Ip): void {
    if (!this.has(ip)) {
      // The message names one range, although the address may be in any ServiceCIDR.
      const range = this.defaults.find(({ family }) => family === ip.family) ?? this.#ranges.of(ip.family)[0];
      throw new IpAllocationError(
        `the provided IP (${formatIp(ip)}) is not in the valid range. The range of valid IPs is ${range && formatCidr(range)}`,
      );
    }
  }

  /** Allocates any free address of the family. */
  async takeNext(family: IpFamily, claim: ClaimIp): Promise<Ip> {
    this.#follower.sync();
    for (;;) {
      const value = this.#free(family);
      if (value === undefined) throw new IpAllocationError('range is full');
      const ip: Ip = { family, value };
      if (await this.#claim(ip, claim)) return ip;
    }
  }

  /** The address that a dry run returns in place of an allocated one. */
  placeholder(family: IpFamily): Ip {
    return { family, value: this.defaults.find((range) => range.family === family)?.network ?? 0n };
  }

  reset(): void {
    this.#follower.reset();
    this.#ranges.reset();
  }

  async #claim(ip: Ip, claim: ClaimIp): Promise<boolean> {
    const pending = this.#pending[ip.family];
    if (pending.has(ip.value)) return false;
    pending.add(ip.value);
    try {
      return await claim(ip);
    } finally {
      pending.delete(ip.value);
    }
  }

  #isTaken(family: IpFamily, value: bigint): boolean {
    return this.#used[family].has(value) || this.#pending[family].has(value);
  }

  /** Dynamic allocation uses the static band (the lowest addresses) last: it is reserved for requested addresses (KEP-3070). */
  #free(family: IpFamily): bigint | undefined {
    for (const range of this.#ranges.of(family)) {
      const { first, last } = assignableRange(range);
      const middle = first + staticBandSize(range);
      const value = this.#freeIn(family, middle, last) ?? this.#freeIn(family, first, middle - 1n);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #freeIn(family: IpFamily, first: bigint, last: bigint): bigint | undefined {
    const size = last - first + 1n;
    if (size <= 0n) return undefined;
    // Among `taken + 1` consecutive addresses at least one is free.
    const taken = BigInt(this.#used[family].size + this.#pending[family].size);
    const steps = size <= taken ? size : taken + 1n;
    const start = randomBytes(8).readBigUInt64LE() % size;
    for (let step = 0n; step < steps; step++) {
      const value = first + ((start + step) % size);
      if (!this.#isTaken(family, value)) return value;
    }
    return undefined;
  }
}

/** The name of an IPAddress object is its address. */
function addressOf({ key }: StoredObject): Ip | undefined {
  return parseIp(key.slice('ipaddresses/'.length));
}

/** A sixteenth of the range, at least 16 and at most 256 addresses; small ranges have no static band. */
function staticBandSize(range: Cidr): bigint {
  const size = addressCount(range);
  if (size <= 16n) return 0n;
  const sixteenth = size / 16n;
  return sixteenth < 16n ? 16n : sixteenth > 256n ? 256n : sixteenth;
}
