// Timer wheel: one timer renews the leases of all simulated nodes, spread over the interval.
import { type Clock, every } from '../base/clock.ts';

const slotMs = 1_000;
/** A node is renewed once in this many slots: every ten seconds, as a kubelet renews its lease. */
const slotCount = 10;

export class RenewalWheel {
  readonly #clock: Clock;
  readonly #renew: (name: string) => void;
  readonly #slots: readonly Set<string>[] = Array.from({ length: slotCount }, () => new Set<string>());
  readonly #slotByName = new Map<string, Set<string>>();
  /** The slot that is due next, and the monotonic time at which the one before was. */
  #position = 0;
  #lastMs = 0;
  #cancel = () => {};

  constructor(clock: Clock, renew: (name: string) => void) {
    this.#clock = clock;
    this.#renew = renew;
  }

  start(): void {
    this.#lastMs = this.#clock.elapsed();
    this.#cancel = every(this.#clock, slotMs, () => this.#turn());
  }

  close(): void {
    this.#cancel();
  }

  add(name: string): void {
    if (this.#slotByName.has(name)) return;
    const slot = this.#slots[this.#slotByName.size % slotCount]!;
    slot.add(name);
    this.#slotByName.set(name, slot);
  }

  delete(name: string): void {
    this.#slotByName.get(name)?.delete(name);
    this.#slotByName.delete(name);
  }

  clear(): void {
    for (const slot of this.#slots) slot.clear();
    this.#slotByName.clear();
  }

  /** Renews the slots that are due: several if the clock was advanced or the process suspended. */
  #turn(): void {
    const slots = Math.floor((this.#clock.elapsed() - this.#lastMs) / slotMs);
    this.#lastMs += slots * slotMs;
    for (let turned = 0; turned < Math.min(slots, slotCount); turned++) {
      for (const name of this.#slots[this.#position]!) this.#renew(name);
      this.#position = (this.#position + 1) % slotCount;
    }
  }
}
