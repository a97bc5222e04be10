// CIDR ranges.
import { type Ip, type IpFamily, ipText, readIp } from './ip-address.ts';

export interface Cidr {
  readonly family: IpFamily;
  /** The network address. */
  readonly network: bigint;
  readonly prefix: number;
}

/** A range and the non-canonical parts of its notation. */
export interface WrittenCidr extends Cidr {
  /** The address as written, which may have host bits. */
  readonly address: bigint;
  readonly hasLeadingZeros: boolean;
  readonly isMapped: boolean;
}

const mappedBits = 96;

/** Accepts non-canonical notation; returns undefined for invalid text. */
export function readCidr(text: string): WrittenCidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const ip = readIp(text.slice(0, slash));
  const bits = text.slice(slash + 1);
  if (!ip || !/^[0-9]{1,10}$/.test(bits)) return undefined;
  const prefix = Number(bits) - (ip.isMapped ? mappedBits : 0);
  if (prefix < 0 || prefix > bitsOf(ip.family)) return undefined;
  const { family, value: address, isMapped } = ip;
  const hasLeadingZeros = ip.hasLeadingZeros || (bits.length > 1 && bits.startsWith('0'));
  return {
    family,
    address,
    network: firstOf({ family, network: address, prefix }),
    prefix,
    hasLeadingZeros,
    isMapped,
  };
}

export function cidrText({ family, network, prefix }: Cidr): string {
  return `${ipText({ family, value: network })}/${prefix}`;
}

export const bitsOf = (family: IpFamily) => (family === 'IPv4' ? 32 : 128);

export const sizeOf = ({ family, prefix }: Cidr) => 1n << BigInt(bitsOf(family) - prefix);

function firstOf(cidr: Cidr): bigint {
  return cidr.network - (cidr.network % sizeOf(cidr));
}

export const lastOf = (cidr: Cidr) => cidr.network + sizeOf(cidr) - 1n;

export function contains(cidr: Cidr, { family, value }: Ip): boolean {
  return cidr.family === family && value >= cidr.network && value <= lastOf(cidr);
}
