import { ipText, readIp } from '../base/ip-address.ts';

/** What of a request says where it comes from. */
export interface Origin {
  /** `X-Forwarded-For`: every proxy on the way adds the address that it heard from. */
  readonly forwardedFor: string | undefined;
  readonly realIp: string | undefined;
  /** The other end of the connection: the only one that cannot be made up. */
  readonly remote: string | undefined;
}

/** The addresses a request has come by, the first one first. What is no address is left out. */
export function sourceAddresses({ forwardedFor, realIp, remote }: Origin): string[] {
  const addresses = (forwardedFor ?? '').split(',').flatMap((part) => canonical(part.trim()));
  for (const address of canonical(realIp ?? '')) {
    if (!addresses.includes(address)) addresses.push(address);
  }
  for (const address of canonical(remote ?? '')) {
    if (addresses.at(-1) !== address) addresses.push(address);
  }
  return addresses;
}

function canonical(text: string): string[] {
  const address = readIp(text);
  return address === undefined ? [] : [ipText(address)];
}
