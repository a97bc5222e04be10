// Loads the CEL engine when the first expression needs it.
import type * as Engine from './index.ts';

export type Cel = typeof Engine;

/** A value that needs the CEL engine: a server without expressions never loads it. */
export class CelOnDemand<Made> {
  readonly #make: (cel: Cel) => Made;
  #made: { readonly value: Made } | undefined;

  constructor(make: (cel: Cel) => Made) {
    this.#make = make;
  }

  /** Undefined where it is there already. */
  load(): Promise<void> | undefined {
    return this.#made ? undefined : this.#load();
  }

  async #load(): Promise<void> {
    const cel = await import('./index.ts');
    this.#made ??= { value: this.#make(cel) };
  }

  /** Only after `load`. */
  get value(): Made {
    if (!this.#made) throw new Error('the expression engine is used before it is loaded');
    return this.#made.value;
  }
}
