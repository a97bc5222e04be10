// Allocates IPv4 addresses of simulated nodes and pods. The addresses in use are in the objects: nothing else is stored.
import { formatIp, parseIp } from '../base/ip-address.ts';

/** A free address is handed out once, also before the object that uses it is written. */
export class AddressPool {
  readonly #first: bigint;
  readonly #size: number;
  readonly #isUsed: (address: string) => boolean;
  #next = 0;

  /** `first` is the first of `size` addresses. */
  constructor(first: string, size: number, isUsed: (address: string) => boolean) {
    this.#first = parseIp(first)!.value;
    this.#size = size;
    this.#isUsed = isUsed;
  }

  allocate(): string {
    for (let tries = 0; tries < this.#size; tries++) {
      const value = this.#first + BigInt(this.#next);
      this.#next = (this.#next + 1) % this.#size;
      const address = formatIp({ family: 'IPv4', value });
      if (!this.#isUsed(address)) return address;
    }
    throw new Error('all addresses of the range are in use');
  }
}
