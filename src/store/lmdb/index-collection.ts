/**
 * The entries of a part of a resource, collected for an index that is being built.
 *
 * Entries are in the order of their hashes, which is not the order of the objects: written object by object, each would change another
 * page of the index. They are therefore collected first, and written in groups of neighbouring hashes.
 *
 * Invariant: an object that changes after the collection was started is left out, since the change itself updates the index. A
 * collection is started while no transaction is being written, so that it misses no change.
 */
import type { ReadSnapshot } from './environment.ts';
import type { IndexDefinition } from './index-catalogue.ts';
import { entryKey, indexedValue, keyOfEntry } from './index-entries.ts';
import { StoredRecord } from './record.ts';
import { endOfPrefix } from './tables.ts';

/** Limits of one read, which bound the time that the event loop is blocked. */
const READ_OBJECTS = 256;
const READ_BYTES = 1024 * 1024;
/** Groups of entries by the first byte of their hash. */
const GROUPS = 256;

export class IndexCollection {
  readonly definition: IndexDefinition;
  readonly #maxEntries: number;
  readonly #groups: Buffer[][] = Array.from({ length: GROUPS }, () => []);
  readonly #changedKeys = new Set<string>();
  /** The last key that was read. */
  #position: string;
  #isAtEnd = false;
  #isFull = false;
  #count = 0;
  #bytes = 0;
  /** The entries to write, in order; undefined while objects are read. */
  #entries: Buffer[] | undefined;
  #written = 0;

  constructor(definition: IndexDefinition, maxEntries: number) {
    this.definition = definition;
    this.#maxEntries = maxEntries;
    this.#position = definition.position;
  }

  /** Called with the key of every change of the resource since the start. */
  noteChange(key: string): void {
    this.#changedKeys.add(key);
  }

  /** Reads the next objects. Returns false once the collection is full, or has all objects. */
  read({ tables, options }: ReadSnapshot): boolean {
    if (this.#isFull || this.#isAtEnd) return false;
    const { definition } = this;
    const start = `${definition.prefix}/`;
    let bytes = 0;
    let count = 0;
    for (const { key, value } of tables.objects.getRange({
      ...options,
      start: this.#position || start,
      exclusiveStart: this.#position !== '',
      end: endOfPrefix(start)!,
      limit: READ_OBJECTS,
    })) {
      const indexed = indexedValue(definition, new StoredRecord(key, value));
      if (indexed !== undefined) this.#add(entryKey(definition, indexed, key));
      this.#position = key;
      bytes += value.length;
      if (++count === READ_OBJECTS || bytes >= READ_BYTES) return true;
    }
    this.#isAtEnd = true;
    return false;
  }

  /** The next entries to write, without those of changed objects. Called within the transaction that writes them. */
  next(limit: number): Buffer[] {
    this.#entries ??= this.#groups.splice(0).flat();
    const entries = this.#entries.slice(this.#written, this.#written + limit);
    if (this.#changedKeys.size === 0) return entries;
    return entries.filter((entry) => !this.#changedKeys.has(keyOfEntry(this.definition, entry)));
  }

  /** Whether `next(limit)` returns the last entries. */
  isLast(limit: number): boolean {
    return this.#written + limit >= this.#count;
  }

  /** Called once the entries that `next(limit)` returned are durable. */
  advance(limit: number): void {
    this.#written += limit;
  }

  get isWritten(): boolean {
    return this.#written >= this.#count && this.#entries !== undefined;
  }

  /** The definition once all entries are written. */
  get result(): Partial<IndexDefinition> {
    return {
      position: this.#position,
      bytes: this.definition.bytes + this.#bytes,
      ...(this.#isAtEnd && { phase: 'ready' }),
    };
  }

  #add(entry: Buffer): void {
    this.#groups[entry[2]!]!.push(entry);
    this.#count++;
    this.#bytes += entry.length + ENTRY_OVERHEAD_BYTES;
    this.#isFull = this.#count >= this.#maxEntries;
  }
}

/** LMDB's own bytes of an entry. */
const ENTRY_OVERHEAD_BYTES = 12;
