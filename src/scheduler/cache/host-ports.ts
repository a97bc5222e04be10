// The host ports in use on a node, upstream's HostPortInfo.
import type { HostPort } from './pod-info.ts';

/** Conflicts with every address of the node. */
const anyAddress = '0.0.0.0';

export class HostPorts {
  /** By protocol and port: the number of pods by address. */
  readonly #used: Map<string, Map<string, number>>;

  constructor(original?: HostPorts) {
    this.#used = new Map(
      [...(original ? original.#used : [])].map(([key, addresses]) => [key, new Map(addresses)]),
    );
  }

  change(port: HostPort, sign: 1 | -1): void {
    const key = keyOf(port);
    const addresses = this.#used.get(key) ?? new Map<string, number>();
    const count = (addresses.get(port.ip) ?? 0) + sign;
    if (count > 0) addresses.set(port.ip, count);
    else addresses.delete(port.ip);
    if (addresses.size > 0) this.#used.set(key, addresses);
    else this.#used.delete(key);
  }

  conflictsWith(port: HostPort): boolean {
    const addresses = this.#used.get(keyOf(port));
    if (!addresses) return false;
    return port.ip === anyAddress || addresses.has(anyAddress) || addresses.has(port.ip);
  }
}

const keyOf = ({ protocol, port }: HostPort) => `${protocol}/${port}`;
