// IP addresses. The parser accepts and reports non-canonical notation: leading zeros, IPv4-mapped addresses.
import { isIPv6 } from 'node:net';

export type IpFamily = 'IPv4' | 'IPv6';

export interface Ip {
  readonly family: IpFamily;
  readonly value: bigint;
}

/** An address, and how its text differs from the canonical notation. */
export interface ParsedIp extends Ip {
  /** Leading zeros (`010.0.0.1`), which some parsers read as octal. */
  readonly hasLeadingZeros: boolean;
  /** An IPv4-mapped IPv6 address: `::ffff:192.0.2.1`. */
  readonly isIPv4Mapped: boolean;
}

const maxTextLength = 64;

/** Accepts non-canonical notation; returns undefined for invalid text. */
export function parseIp(text: string): ParsedIp | undefined {
  if (text.length > maxTextLength) return undefined;
  const tailStart = text.lastIndexOf(':') + 1;
  const dotted = text.includes('.') ? parseDottedDecimal(text.slice(tailStart)) : undefined;
  const hasLeadingZeros = dotted?.hasLeadingZeros ?? false;
  if (tailStart === 0) {
    return dotted && { family: 'IPv4', value: BigInt(dotted.value), isIPv4Mapped: false, hasLeadingZeros };
  }
  if (text.includes('.') && !dotted) return undefined;
  // isIPv6 and parseGroups get an address whose dotted tail is replaced by two hexadecimal groups.
  const hexText = dotted ? text.slice(0, tailStart) + toIPv6Groups(dotted.value) : text;
  if (!isIPv6(hexText) || hexText.includes('%')) return undefined;
  const value = parseGroups(hexText).reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  const isIPv4Mapped = value >> 32n === 0xffffn;
  return isIPv4Mapped
    ? { family: 'IPv4', value: value & 0xffffffffn, isIPv4Mapped, hasLeadingZeros }
    : { family: 'IPv6', value, isIPv4Mapped, hasLeadingZeros };
}

function parseDottedDecimal(text: string): { value: number; hasLeadingZeros: boolean } | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]+$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  const value = parts.reduce((sum, part) => sum * 256 + Number(part), 0);
  return { value, hasLeadingZeros: parts.some((part) => part.length > 1 && part.startsWith('0')) };
}

/** A 32-bit number as two hexadecimal groups. */
function toIPv6Groups(value: number): string {
  return `${Math.floor(value / 65536).toString(16)}:${(value % 65536).toString(16)}`;
}

/** The eight groups of an IPv6 address. */
function parseGroups(text: string): number[] {
  const [head = '', tail] = text.split('::');
  const toNumbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return toNumbers(head);
  const leading = toNumbers(head);
  const trailing = toNumbers(tail);
  return [...leading, ...new Array<number>(8 - leading.length - trailing.length).fill(0), ...trailing];
}

/** The canonical notation: dotted decimal, or RFC 5952. */
export function formatIp({ family, value }: Ip): string {
  if (family === 'IPv4') return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn));
  const run = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (run.length < 2) return hex.join(':');
  return `${hex.slice(0, run.start).join(':')}::${hex.slice(run.start + run.length).join(':')}`;
}

/**
 * The host to connect to: an IP address in canonical notation, so that the connection goes to the address that was
 * validated, and not to the one that libc reads (`0177.0.0.1` is 127.0.0.1 there). A host name is returned unchanged.
 */
export function canonicalHost(host: string): string {
  const ip = parseIp(host);
  return ip ? formatIp(ip) : host;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

/** 127.0.0.0/8 and ::1. */
export function isLoopback({ family, value }: Ip): boolean {
  return family === 'IPv4' ? value >> 24n === 127n : value === 1n;
}

/** 169.254.0.0/16 and fe80::/10. */
export function isLinkLocal({ family, value }: Ip): boolean {
  return family === 'IPv4' ? value >> 16n === 0xa9fen : value >> 118n === 0xfe80n >> 6n;
}

/** 224.0.0.0/24 and ff02::/16, with any flags. */
export function isLinkLocalMulticast({ family, value }: Ip): boolean {
  return family === 'IPv4' ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}
