// Loads the CEL engine when the first expression needs it.
import type * as Engine from './index.ts';

export type Cel = typeof Engine;

/** A value that needs the CEL engine: a server without expressions never loads it. */
export class CelOnDemand<T> {
  readonly #create: (cel: Cel) => T;
  #created: { readonly value: T } | undefined;

  constructor(create: (cel: Cel) => T) {
    this.#create = create;
  }

  /** Returns undefined if the engine is already loaded. */
  load(): Promise<void> | undefined {
    return this.#created ? undefined : this.#load();
  }

  async #load(): Promise<void> {
    const cel = await import('./index.ts');
    this.#created ??= { value: this.#create(cel) };
  }

  /** Throws unless `load` has completed. */
  get value(): T {
    if (!this.#created) throw new Error('the expression engine is used before it is loaded');
    return this.#created.value;
  }
}
