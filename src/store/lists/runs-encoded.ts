/**
 * An encoded run: neighbouring objects of one resource as one buffer of list items.
 *
 * Invariants:
 * - A run is immutable: pages keep references to it while they are read.
 * - Keys are distinct and in byte order.
 * - Object i, with the comma before it, is bytes[start(i), end(i)).
 */
import { ListedObject, type RunSource, type Traits } from './runs-object.ts';
import { compareKeys } from './runs-order.ts';
import { bytesOf, RunWriter } from './runs-writer.ts';

export interface RunParts {
  readonly bytes: Buffer;
  readonly ends: Uint32Array;
  readonly keyText: string;
  readonly keyEnds: Uint32Array;
  readonly traits: readonly Traits[];
  readonly traitOf: Uint16Array;
}

export class EncodedRun {
  readonly bytes: Buffer;
  /** Approximate memory use. */
  readonly weight: number;
  /** The distinct traits in this run, and the index of each object's traits. */
  readonly traits: readonly Traits[];
  readonly traitOf: Uint16Array;
  readonly #ends: Uint32Array;
  readonly #keyText: string;
  readonly #keyEnds: Uint32Array;

  constructor(parts: RunParts) {
    this.bytes = parts.bytes;
    this.traits = parts.traits;
    this.traitOf = parts.traitOf;
    this.#ends = parts.ends;
    this.#keyText = parts.keyText;
    this.#keyEnds = parts.keyEnds;
    let traits = 0;
    for (const { labels, fields } of this.traits) traits += labels.length + fields.length + 64;
    this.weight = this.bytes.length + this.#keyText.length + 10 * this.count + traits + 500;
  }

  /** The objects must be in key order. */
  static of(objects: readonly RunSource[]): EncodedRun {
    let size = 0;
    for (const object of objects) size += bytesOf(object);
    const writer = new RunWriter(size, objects.length);
    for (const object of objects) writer.add(object);
    return new EncodedRun(writer.finish());
  }

  get count(): number {
    return this.#ends.length;
  }

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

  keyStart(i: number): number {
    return i === 0 ? 0 : this.#keyEnds[i - 1]!;
  }

  object(i: number): ListedObject {
    const item = this.bytes.subarray(this.start(i) + 1, this.end(i));
    return new ListedObject(this.key(i), item, this.traits[this.traitOf[i]!]!);
  }

  /** Index of the first object with a key >= `key`. */
  firstFrom(key: string, low = 0): number {
    return this.#search(low, (other) => compareKeys(other, key) >= 0);
  }

  /** Index of the first object with a key > `key`. */
  firstAfter(key: string): number {
    return this.#search(0, (other) => compareKeys(other, key) > 0);
  }

  /** This run after some changes: for each key its new state, or null if deleted. */
  patched(patches: ReadonlyMap<string, RunSource | null>): EncodedRun {
    const keys = [...patches.keys()].sort(compareKeys);
    const steps: { from: number; to: number; object: RunSource | null }[] = [];
    let size = this.bytes.length;
    let count = this.count;
    let from = 0;
    for (const key of keys) {
      const object = patches.get(key) ?? null;
      const to = this.firstFrom(key, from);
      const replaces = to < this.count && this.key(to) === key;
      if (replaces) {
        size -= this.end(to) - this.start(to);
        count--;
      }
      if (object) {
        size += bytesOf(object);
        count++;
      }
      steps.push({ from, to, object });
      from = replaces ? to + 1 : to;
    }
    const writer = new RunWriter(size, count);
    for (const step of steps) {
      writer.addAll(this, step.from, step.to);
      if (step.object) writer.add(step.object);
    }
    writer.addAll(this, from, this.count);
    return new EncodedRun(writer.finish());
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
