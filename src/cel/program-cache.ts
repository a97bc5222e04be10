// CEL: a bounded cache of compiled programs.
import type { Environment, Issues } from './environment.ts';
import type { Program } from './program.ts';

/**
 * Programs and compile errors by environment and source. Eviction goes round the environments, and takes the least
 * recently used entry of each: an unused environment becomes empty, is dropped, and can be garbage-collected.
 */
export class ProgramCache {
  readonly #programs = new Map<Environment, Map<string, Program | Issues>>();
  readonly #capacity: number;
  #size = 0;

  constructor(capacity = 1000) {
    this.#capacity = capacity;
  }

  compile(environment: Environment, source: string): Program | Issues {
    let programs = this.#programs.get(environment);
    const cached = programs?.get(source);
    if (programs && cached) {
      // Moved to the end of the map, which is in the order of use.
      programs.delete(source);
      programs.set(source, cached);
      return cached;
    }
    const compiled = environment.compile(source);
    if (!programs) {
      programs = new Map();
      this.#programs.set(environment, programs);
    }
    programs.set(source, compiled);
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
    // The environment moves to the end, unless it has become empty.
    this.#programs.delete(environment);
    if (programs.size > 0) this.#programs.set(environment, programs);
  }
}
