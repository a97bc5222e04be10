// The handlers of non-resource paths (upstream: PathRecorderMux), and the index of these paths at `/`.

import type { Exchange } from './exchange.ts';
import { encodeJson, JsonIndenter } from './json-text.ts';
import { jsonType, sendBytes, sendPageNotFound } from './response.ts';

export type PathHandler = (exchange: Exchange) => void | Promise<void>;

/** Paths that depend on the served groups and kinds. */
export interface PathFamily {
  /** The current paths. */
  paths(): readonly string[];
  /** The handler of a path; undefined if the path is not one of these. */
  find(path: string): PathHandler | undefined;
}

export class PathTable {
  readonly #exact = new Map<string, PathHandler>();
  readonly #families: PathFamily[] = [];

  constructor() {
    this.#exact.set('/', (exchange) => this.#sendIndex(exchange));
  }

  add(path: string, handler: PathHandler): void {
    if (this.#exact.has(path)) throw new Error(`duplicate handler for ${path}`);
    this.#exact.set(path, handler);
  }

  addFamily(family: PathFamily): void {
    this.#families.push(family);
  }

  handle(exchange: Exchange): void | Promise<void> {
    const { path } = exchange.info;
    const handler = this.#exact.get(path) ?? this.#findInFamilies(path);
    return handler === undefined ? sendPageNotFound(exchange) : handler(exchange);
  }

  #findInFamilies(path: string): PathHandler | undefined {
    for (const family of this.#families) {
      const handler = family.find(path);
      if (handler !== undefined) return handler;
    }
    return undefined;
  }

  #sendIndex(exchange: Exchange): void {
    const paths = new Set([...this.#exact.keys(), ...this.#families.flatMap((family) => family.paths())]);
    paths.delete('/');
    const index = Buffer.from(encodeJson({ paths: [...paths].sort() }));
    sendBytes(exchange, 200, jsonType, new JsonIndenter().push(index));
  }
}
