import { isIPv4, isIPv6 } from 'node:net';

export interface IpAddress {
  readonly isUnspecified: boolean;
  readonly isLoopback: boolean;
  readonly isLinkLocal: boolean;
  readonly isLinkLocalMulticast: boolean;
}

/** What an address is, or what is wrong with it. */
export function parseIp(text: string): IpAddress | { readonly problem: string } {
  if (isIPv4(text)) return describeIPv4(text);
  if (/^[0-9]{1,3}(\.[0-9]{1,3}){3}$/.test(text)) {
    const plain = text.split('.').map((part) => Number(part));
    const problem = plain.every((part) => part < 256) ? 'must not have leading 0s' : 'not an address';
    return { problem };
  }
  if (!isIPv6(text) || text.includes('%')) return { problem: 'not an address' };
  const groups = groupsOf(text);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? { problem: 'must not be an IPv4-mapped IPv6 address' } : describeIPv6(groups);
}

function describeIPv4(text: string): IpAddress {
  const [a, b, c] = text.split('.').map(Number) as [number, number, number, number];
  return {
    isUnspecified: text === '0.0.0.0',
    isLoopback: a === 127,
    isLinkLocal: a === 169 && b === 254,
    isLinkLocalMulticast: a === 224 && b === 0 && c === 0,
  };
}

function describeIPv6(groups: readonly number[]): IpAddress {
  const first = groups[0]!;
  const leading = groups.slice(0, 7).every((group) => group === 0);
  return {
    isUnspecified: leading && groups[7] === 0,
    isLoopback: leading && groups[7] === 1,
    isLinkLocal: (first & 0xffc0) === 0xfe80,
    isLinkLocalMulticast: (first & 0xff0f) === 0xff02,
  };
}

/** The eight numbers of an IPv6 address. */
function groupsOf(text: string): number[] {
  const withoutDots = text.replace(/([0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+)$/, (_, ...parts) => {
    const [a, b, c, d] = parts.map(Number) as [number, number, number, number];
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = '', tail] = withoutDots.split('::');
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return numbers(head);
  const before = numbers(head);
  const after = numbers(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** An address in the one form that RFC 5952 gives it; IPv4 addresses have only one. */
export function canonicalIp(text: string): string {
  if (!isIPv6(text)) return text;
  const groups = groupsOf(text);
  const run = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (run.length < 2) return hex.join(':');
  return `${hex.slice(0, run.start).join(':')}::${hex.slice(run.start + run.length).join(':')}`;
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
