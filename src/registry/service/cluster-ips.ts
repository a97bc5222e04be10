import { randomBytes } from 'node:crypto';
import { type Cidr, cidrText, sizeOf } from '../../base/cidr.ts';
import { type Ip, type IpFamily, ipText, readIp } from '../../base/ip-address.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import { AddressRanges, isUsable, usable } from './address-ranges.ts';

/** Why an address, or any address, cannot be had. */
export class NoAddress extends Error {}

/** Writes down who has an address; false if somebody has it already. */
export type Claim = (ip: Ip) => Promise<boolean>;

/**
 * The addresses of services inside the cluster. Each one in use is kept by an IPAddress object, which is made first:
 * whoever makes it has the address, also if several servers share the store.
 */
export class ClusterIps {
  /** What the server was told to serve from, one range for each family; the first is the default. */
  readonly defaults: readonly Cidr[];
  readonly #ranges: AddressRanges;
  readonly #used: Record<IpFamily, Set<bigint>> = { IPv4: new Set(), IPv6: new Set() };
  readonly #pending: Record<IpFamily, Set<bigint>> = { IPv4: new Set(), IPv6: new Set() };
  readonly #follower: Reflector;

  constructor(store: Store, defaults: readonly Cidr[]) {
    this.defaults = defaults;
    this.#ranges = new AddressRanges(store);
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

  /** Takes the address that was asked for. */
  async take(ip: Ip, claim: Claim): Promise<void> {
    this.#follower.sync();
    this.check(ip);
    if (this.#isTaken(ip.family, ip.value) || !(await this.#claim(ip, claim)))
      throw new NoAddress('provided IP is already allocated');
  }

  /** Whether it is an address for services at all. */
  has(ip: Ip): boolean {
    return this.#ranges.of(ip.family).some((range) => isUsable(range, ip));
  }

  /** Refuses what is none. */
  check(ip: Ip): void {
    if (!this.has(ip)) {
      const shown = this.defaults.find(({ family }) => family === ip.family) ?? this.#ranges.of(ip.family)[0];
      throw new NoAddress(
        `the provided IP (${ipText(ip)}) is not in the valid range. The range of valid IPs is ${shown && cidrText(shown)}`,
      );
    }
  }

  /** Takes any address of the family. */
  async takeNext(family: IpFamily, claim: Claim): Promise<Ip> {
    this.#follower.sync();
    for (;;) {
      const value = this.#free(family);
      if (value === undefined) throw new NoAddress('range is full');
      const ip: Ip = { family, value };
      if (await this.#claim(ip, claim)) return ip;
    }
  }

  /** What a dry run shows where an address would be given out. */
  placeholder(family: IpFamily): Ip {
    return { family, value: this.defaults.find((range) => range.family === family)?.network ?? 0n };
  }

  reset(): void {
    this.#follower.reset();
    this.#ranges.reset();
  }

  async #claim(ip: Ip, claim: Claim): Promise<boolean> {
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

  /** The lowest addresses are left to those who ask for certain ones, as long as there are others. */
  #free(family: IpFamily): bigint | undefined {
    for (const range of this.#ranges.of(family)) {
      const { first, last } = usable(range);
      const middle = first + lowBand(range);
      const found = this.#freeIn(family, middle, last) ?? this.#freeIn(family, first, middle - 1n);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #freeIn(family: IpFamily, first: bigint, last: bigint): bigint | undefined {
    const size = last - first + 1n;
    if (size <= 0n) return undefined;
    // Of more addresses in a row than are taken in all, one is free.
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

/** An IPAddress is named by what it keeps. */
function addressOf({ key }: StoredObject): Ip | undefined {
  return readIp(key.slice('ipaddresses/'.length));
}

function lowBand(range: Cidr): bigint {
  const size = sizeOf(range);
  if (size <= 16n) return 0n;
  const part = size / 16n;
  return part < 16n ? 16n : part > 256n ? 256n : part;
}
