// CIDR blocks: an IP network with a prefix length.
import { formatIp, type Ip, type IpFamily, parseIp } from './ip-address.ts';

export interface Cidr {
  readonly family: IpFamily;
  /** The network address. */
  readonly network: bigint;
  /** The prefix length in bits. */
  readonly prefix: number;
}

/** A CIDR block, and how its text differs from the canonical notation. */
export interface ParsedCidr extends Cidr {
  /** The address as written, which may have host bits. */
  readonly address: bigint;
  readonly hasLeadingZeros: boolean;
  readonly isIPv4Mapped: boolean;
}

/** The prefix of all IPv4-mapped addresses, `::ffff:0:0/96`. */
const mappedPrefixBits = 96;

/** Accepts non-canonical notation; returns undefined for invalid text. */
export function parseCidr(text: string): ParsedCidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const ip = parseIp(text.slice(0, slash));
  const bits = text.slice(slash + 1);
  if (!ip || !/^[0-9]{1,10}$/.test(bits)) return undefined;
  const prefix = Number(bits) - (ip.isIPv4Mapped ? mappedPrefixBits : 0);
  if (prefix < 0 || prefix > addressBits(ip.family)) return undefined;
  const { family, value: address, isIPv4Mapped } = ip;
  const hasLeadingZeros = ip.hasLeadingZeros || (bits.length > 1 && bits.startsWith('0'));
  return {
    family,
    address,
    // The address without its host bits.
    network: address - (address % addressCount({ family, prefix })),
    prefix,
    hasLeadingZeros,
    isIPv4Mapped,
  };
}

export function formatCidr({ family, network, prefix }: Cidr): string {
  return `${formatIp({ family, value: network })}/${prefix}`;
}

export const addressBits = (family: IpFamily) => (family === 'IPv4' ? 32 : 128);

export const addressCount = ({ family, prefix }: Pick<Cidr, 'family' | 'prefix'>) =>
  1n << BigInt(addressBits(family) - prefix);

const lastAddress = (cidr: Cidr) => cidr.network + addressCount(cidr) - 1n;

export function cidrContains(cidr: Cidr, { family, value }: Ip): boolean {
  return cidr.family === family && value >= cidr.network && value <= lastAddress(cidr);
}

/** The first and last host address, without the network address and, for IPv4, the broadcast address. */
export function assignableRange(range: Cidr): { readonly first: bigint; readonly last: bigint } {
  return { first: range.network + 1n, last: lastAddress(range) - (range.family === 'IPv4' ? 1n : 0n) };
}
