// Audit: determines the sourceIPs of an event from the request headers and the connection.
import { formatIp, parseIp } from '../base/ip-address.ts';

export interface RequestOrigin {
  /** `X-Forwarded-For`: each proxy appends the address of its client. */
  readonly forwardedFor: string | undefined;
  /** `X-Real-Ip`. */
  readonly realIp: string | undefined;
  /** The peer of the connection: the only address that a client cannot forge. */
  readonly remote: string | undefined;
}

/** The client's address first, then those of the proxies. Invalid addresses are skipped. */
export function sourceAddresses({ forwardedFor, realIp, remote }: RequestOrigin): string[] {
  const addresses = (forwardedFor ?? '').split(',').flatMap((entry) => canonicalAddress(entry.trim()));
  for (const address of canonicalAddress(realIp ?? '')) {
    if (!addresses.includes(address)) addresses.push(address);
  }
  for (const address of canonicalAddress(remote ?? '')) {
    if (addresses.at(-1) !== address) addresses.push(address);
  }
  return addresses;
}

/** The address in canonical form; empty if the text is no IP address. */
function canonicalAddress(text: string): string[] {
  const address = parseIp(text);
  return address === undefined ? [] : [formatIp(address)];
}
