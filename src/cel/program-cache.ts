// CEL: an LRU cache of compiled programs.
import type { Environment, Issues } from './environment.ts';
import type { Program } from './program.ts';

/** Programs and compile errors by environment and source. The least recently used one is evicted first. */
export class ProgramCache {
  readonly #programs = new Map<Environment, Map<string, Program | Issues>>();
  readonly #capacity: number;
  #size = 0;

  constructor(capacity = 1000) {
    this.#capacity = capacity;
  }

  compile(environment: Environment, source: string): Program | Issues {
    let ofEnvironment = this.#programs.get(environment);
    const known = ofEnvironment?.get(source);
    if (ofEnvironment && known) {
      ofEnvironment.delete(source);
      ofEnvironment.set(source, known);
      return known;
    }
    const compiled = environment.compile(source);
    if (!ofEnvironment) {
      ofEnvironment = new Map();
      this.#programs.set(environment, ofEnvironment);
    }
    ofEnvironment.set(source, compiled);
    this.#size++;
    if (this.#size > this.#capacity) this.#evictOne();
    return compiled;
  }

  get size(): number {
    return this.#size;
  }

  #evictOne(): void {
    const [environment, programs] = this.#programs.entries().next().value!;
    programs.delete(programs.keys().next().value!);
    this.#size--;
    this.#programs.delete(environment);
    // Eviction rotates through the environments, so that unused environments become empty.
    if (programs.size > 0) this.#programs.set(environment, programs);
  }
}
