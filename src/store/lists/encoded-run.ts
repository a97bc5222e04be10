/**
 * An encoded run: neighbouring objects of one resource as one buffer of list items.
 *
 * Invariants:
 * - A run is immutable: pages keep references to it while they are read.
 * - Keys are distinct and in byte order.
 * - Object i, with the comma before it, is bytes[start(i), end(i)).
 */

import { compareKeys } from './key-order.ts';
import { ListedObject, type SharedProperties } from './listed-object.ts';

export interface RunParts {
  /** The JSON of all objects, each with a comma before it. */
  readonly bytes: Buffer;
  /** For each object the end of its JSON in `bytes`. */
  readonly ends: Uint32Array;
  /** All keys, concatenated without separators. */
  readonly keyText: string;
  /** For each object the end of its key in `keyText`. */
  readonly keyEnds: Uint32Array;
  /** The distinct shared properties in this run. */
  readonly properties: readonly SharedProperties[];
  /** For each object the index of its shared properties. */
  readonly propertiesIndex: Uint16Array;
}

/** The elements of an object in `ends`, `keyEnds` and `propertiesIndex`. */
const ARRAY_BYTES_PER_OBJECT = 4 + 4 + 2;
/** Approximate memory of the JavaScript objects of a SharedProperties and of a run. */
const PROPERTIES_OVERHEAD_BYTES = 64;
const RUN_OVERHEAD_BYTES = 500;

export class EncodedRun {
  readonly bytes: Buffer;
  /** Approximate memory use, in bytes. */
  readonly weight: number;
  /** The distinct shared properties in this run, and the index of each object's. */
  readonly properties: readonly SharedProperties[];
  readonly propertiesIndex: Uint16Array;
  readonly #ends: Uint32Array;
  readonly #keyText: string;
  readonly #keyEnds: Uint32Array;

  constructor(parts: RunParts) {
    this.bytes = parts.bytes;
    this.properties = parts.properties;
    this.propertiesIndex = parts.propertiesIndex;
    this.#ends = parts.ends;
    this.#keyText = parts.keyText;
    this.#keyEnds = parts.keyEnds;
    let propertyBytes = 0;
    for (const { labels, selectableFields } of this.properties)
      propertyBytes += labels.length + selectableFields.length + PROPERTIES_OVERHEAD_BYTES;
    this.weight =
      this.bytes.length +
      this.#keyText.length +
      ARRAY_BYTES_PER_OBJECT * this.count +
      propertyBytes +
      RUN_OVERHEAD_BYTES;
  }

  /** Number of objects. */
  get count(): number {
    return this.#ends.length;
  }

  /** Offset of object i, with the comma before it, in `bytes`. */
  start(i: number): number {
    return i === 0 ? 0 : this.#ends[i - 1]!;
  }

  end(i: number): number {
    return this.#ends[i]!;
  }

  key(i: number): string {
    return this.keys(i, i + 1);
  }

  /** The keys of the objects [from, to), concatenated without separators. */
  keys(from: number, to: number): string {
    return this.#keyText.slice(this.keyStart(from), this.keyStart(to));
  }

  /** Offset of key i in the concatenated keys. */
  keyStart(i: number): number {
    return i === 0 ? 0 : this.#keyEnds[i - 1]!;
  }

  object(i: number): ListedObject {
    const item = this.bytes.subarray(this.start(i) + 1, this.end(i));
    return new ListedObject(this.key(i), item, this.properties[this.propertiesIndex[i]!]!);
  }

  /** Index of the first object with a key >= `key`. */
  firstFrom(key: string, low = 0): number {
    return this.#search(low, (candidate) => compareKeys(candidate, key) >= 0);
  }

  /** Index of the first object with a key > `key`. */
  firstAfter(key: string): number {
    return this.#search(0, (candidate) => compareKeys(candidate, key) > 0);
  }

  #search(from: number, isBeyond: (key: string) => boolean): number {
    let low = from;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBeyond(this.key(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
