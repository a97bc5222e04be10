// Allocates cluster IPs of Services from the ServiceCIDRs (upstream: ipallocator).
import { randomBytes } from 'node:crypto';
import { addressCount, assignableRange, type Cidr, formatCidr } from '../../base/cidr.ts';
import { formatIp, type Ip, type IpFamily, parseIp } from '../../base/ip-address.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import { isAssignable, ServiceCidrs } from './service-cidrs.ts';

/** The requested address, or any address of the family, cannot be allocated. */
export class IpAllocationError extends Error {}

/** Creates the IPAddress object of an address. Resolves to false if it exists already. */
export type ClaimIp = (ip: Ip) => Promise<boolean>;

/**
 * Invariant: an address is allocated by creating its IPAddress object before the Service is written. That create
 * succeeds once, even if several servers share the store.
 */
export class ClusterIpAllocator {
  /** --service-cluster-ip-range: one CIDR for each family; the first is the default family. */
  readonly defaults: readonly Cidr[];
  readonly #ranges: ServiceCidrs;
  /** Addresses with an IPAddress object. */
  readonly #used: Record<IpFamily, Set<bigint>> = { IPv4: new Set(), IPv6: new Set() };
  /** Addresses whose IPAddress object is being created. */
  readonly #pending: Record<IpFamily, Set<bigint>> = { IPv4: new Set(), IPv6: new Set() };
  readonly #reflector: Reflector;

  constructor(store: Store, defaults: readonly Cidr[]) {
    this.defaults = defaults;
    this.#ranges = new ServiceCidrs(store);
    const used = this.#used;
    this.#reflector = new Reflector(store, 'ipaddresses', {
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
    return this.#reflector.warmUp();
  }

  get families(): IpFamily[] {
    return this.defaults.map(({ family }) => family);
  }

  /** Allocates the requested address. */
  async allocate(ip: Ip, claim: ClaimIp): Promise<void> {
    this.#reflector.sync();
    this.assertInServiceCidr(ip);
    if (this.#isTaken(ip.family, ip.value) || !(await this.#claim(ip, claim)))
      throw new IpAllocationError('provided IP is already allocated');
  }

  /** Whether the address is in a ServiceCIDR. */
  isInServiceCidr(ip: Ip): boolean {
    return this.#ranges.rangesOf(ip.family).some((range) => isAssignable(range, ip));
  }

  /** Throws if the address is outside every ServiceCIDR. */
  assertInServiceCidr(ip: Ip): void {
    if (this.isInServiceCidr(ip)) return;
    // The message names one range, although the address may be in any ServiceCIDR.
    const range =
      this.defaults.find(({ family }) => family === ip.family) ?? this.#ranges.rangesOf(ip.family)[0];
    throw new IpAllocationError(
      `the provided IP (${formatIp(ip)}) is not in the valid range. The range of valid IPs is ${range && formatCidr(range)}`,
    );
  }

  /** Allocates any free address of the family. */
  async allocateNext(family: IpFamily, claim: ClaimIp): Promise<Ip> {
    this.#reflector.sync();
    for (;;) {
      const value = this.#findFree(family);
      if (value === undefined) throw new IpAllocationError('range is full');
      const ip: Ip = { family, value };
      if (await this.#claim(ip, claim)) return ip;
    }
  }

  /** The address that a dry run returns in place of an allocated one. */
  dryRunAddress(family: IpFamily): Ip {
    return { family, value: this.defaults.find((range) => range.family === family)?.network ?? 0n };
  }

  reset(): void {
    this.#reflector.reset();
    this.#ranges.reset();
  }

  /** False if the address is taken, here or by another server. */
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

  /** Dynamic allocation uses the static band (the lowest addresses) last: it is for requested addresses (KEP-3070). */
  #findFree(family: IpFamily): bigint | undefined {
    for (const range of this.#ranges.rangesOf(family)) {
      const { first, last } = assignableRange(range);
      const dynamicFirst = first + staticBandSize(range);
      const value =
        this.#findFreeIn(family, dynamicFirst, last) ?? this.#findFreeIn(family, first, dynamicFirst - 1n);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #findFreeIn(family: IpFamily, first: bigint, last: bigint): bigint | undefined {
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
  if (sixteenth < 16n) return 16n;
  return sixteenth > 256n ? 256n : sixteenth;
}
