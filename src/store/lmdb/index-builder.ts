/**
 * Builds indexes of labels and fields on demand, and drops those that are no longer used.
 *
 * A list that reads many more objects than it returns counts towards an index of each of its equality requirements. Once a label or
 * field has caused enough reads, its index is built: entries are collected (index-collection.ts), and written in steps, each at the
 * start of a transaction of the group commit, while writes go on. Until the index is complete, lists read all objects.
 *
 * Invariant: one step is pending at a time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { type SelectorScan, StorageUnavailable } from '../store.ts';
import type { ReadSnapshot } from './environment.ts';
import type { IndexDefinition } from './index-catalogue.ts';
import type { IndexCollection } from './index-collection.ts';
import { entriesOfIndex, putEntry } from './index-entries.ts';
import { INDEX_ENTRY_BYTES } from './space.ts';
import type { Tables } from './tables.ts';
import type { IndexStep, WriterIndexes } from './writer-indexes.ts';

/** A list has read too many objects if it has read this many for each that it returned, ... */
const EXAMINED_PER_RETURNED = 16;
/** ... and this many more than that. */
const MIN_EXCESS = 1_000;
/** The number of objects that lists have read in excess for a label or field, from which its index is built. */
const BUILD_AT_EXCESS = 20_000;
const MAX_COUNTED_REQUIREMENTS = 1_000;

/** Limits of a step. */
const STEP_ENTRIES = 512;
/** Entries that are collected before they are written, some 20 MB. */
const COLLECTED_ENTRIES = 100_000;
const STEP_REMOVALS = 2_000;

/** Bounds of all indexes together. */
const MAX_INDEXES = 16;
const MAX_INDEX_BYTES = 2 * 1024 ** 3;
/** LMDB's pages of an index are half full at worst. */
const BYTES_PER_ENTRY_BYTE = 2;
/** An index that was used since is not dropped for another one. */
const UNUSED_AFTER_MS = 10 * 60_000;

/** Pause before the next attempt after a failed step, or if there is little space. */
const RETRY_MS = 5_000;

/** The group commit, as far as the builder needs it. */
interface StepQueue {
  /** Resolves once the step is durable. */
  runIndexStep(step: IndexStep, costBytes: number): Promise<void>;
}

export interface IndexBuilderOptions {
  readonly indexes: WriterIndexes;
  readonly queue: StepQueue;
  readonly clock: Clock;
  /** The latest durable state. */
  readonly snapshot: () => ReadSnapshot;
  /** Whether there is enough space on the disk, and below the quota, for more entries. */
  readonly hasSpace: () => boolean;
  /** Entries that are collected before they are written. */
  readonly collectedEntries?: number;
}

type Target = Pick<IndexDefinition, 'prefix' | 'kind' | 'name'>;

export class IndexBuilder {
  readonly #options: IndexBuilderOptions;
  /** By requirement, the number of objects that lists have read in excess. */
  readonly #excess = new Map<string, number>();
  /** By index id, when it was last used; from the start, if that is not known. */
  readonly #usedAtMs = new Map<number, number>();
  readonly #startedAtMs: number;
  readonly #requested: Target[] = [];
  #isRunning = false;
  #cancelRetry: (() => void) | undefined;
  #stopped = false;

  constructor(options: IndexBuilderOptions) {
    this.#options = options;
    this.#startedAtMs = options.clock.elapsed();
    // Indexes that were being built or dropped when the process ended.
    this.#run();
  }

  /** Counts a list by selector. */
  report({ prefix, requirements, examined, returned }: SelectorScan): void {
    const excess = examined - EXAMINED_PER_RETURNED * returned;
    if (excess < MIN_EXCESS) return;
    const targets = requirements.map(({ kind, name }): Target => ({ prefix, kind, name }));
    // One index may be enough. If it is not, lists count towards the next one once it is complete.
    if (targets.some((target) => this.#isPending(target))) return;
    const { definitions } = this.#options.indexes;
    const next = targets.find((target) => !definitions.some((definition) => isSame(definition, target)));
    if (next) this.#count(next, excess);
  }

  /** Called from time to time while an index is used. */
  touch(id: number): void {
    this.#usedAtMs.set(id, this.#options.clock.elapsed());
  }

  /** Called after the contents of the file were replaced. */
  reset(): void {
    this.#requested.length = 0;
    this.#excess.clear();
    this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelRetry?.();
  }

  #isPending(target: Target): boolean {
    const { definitions } = this.#options.indexes;
    const isBuilt = ({ phase }: IndexDefinition) => phase === 'ready';
    return (
      this.#requested.some((other) => isSame(other, target)) ||
      definitions.some((definition) => isSame(definition, target) && !isBuilt(definition))
    );
  }

  #count(target: Target, excess: number): void {
    const id = JSON.stringify(target);
    const total = (this.#excess.get(id) ?? 0) + excess;
    if (total < BUILD_AT_EXCESS) {
      if (this.#excess.size >= MAX_COUNTED_REQUIREMENTS) this.#excess.clear();
      this.#excess.set(id, total);
      return;
    }
    this.#excess.delete(id);
    this.#requested.push(target);
    this.#run();
  }

  #run(): void {
    if (this.#isRunning || this.#cancelRetry || this.#stopped) return;
    void this.#runSteps();
  }

  async #runSteps(): Promise<void> {
    this.#isRunning = true;
    try {
      while (!this.#stopped) {
        const next = this.#next();
        if (!next) break;
        if ('definition' in next) await this.#build(next.definition);
        else await this.#options.queue.runIndexStep(next, stepCostBytes);
      }
    } catch {
      // The disk failed or the store is closing. Indexes can wait.
      this.#retryLater();
    }
    this.#isRunning = false;
  }

  #retryLater(): void {
    if (this.#stopped || this.#cancelRetry) return;
    this.#cancelRetry = this.#options.clock.after(RETRY_MS, () => {
      this.#cancelRetry = undefined;
      this.#run();
    });
  }

  /** Adds the next part of an index, up to the size of a collection. */
  async #build(definition: IndexDefinition): Promise<void> {
    const { indexes, queue, snapshot, collectedEntries = COLLECTED_ENTRIES } = this.#options;
    await queue.runIndexStep(emptyStep, 0);
    const collection = indexes.collect(definition, collectedEntries);
    // A failed transaction discards the collection.
    const isValid = () => indexes.collection === collection && !this.#stopped;
    try {
      while (isValid() && collection.read(snapshot())) await nextTurn();
    } catch (error) {
      indexes.endCollection();
      if (error instanceof StorageUnavailable) throw error;
      // An object cannot be read.
      await queue.runIndexStep(phaseStep(definition, 'dropping'), stepCostBytes);
      return;
    }
    try {
      while (isValid() && !collection.isWritten) {
        await queue.runIndexStep(buildStep(collection), stepCostBytes);
        collection.advance(STEP_ENTRIES);
      }
    } finally {
      if (indexes.collection === collection) indexes.endCollection();
    }
  }

  /** The next step, or the index to build; undefined if there is nothing to do, or too little space. */
  #next(): IndexStep | { readonly definition: IndexDefinition } | undefined {
    const { definitions } = this.#options.indexes;
    const dropping = definitions.find(({ phase }) => phase === 'dropping');
    if (dropping) return dropStep(dropping);
    const building = definitions.find(({ phase }) => phase === 'building');
    if (!building && this.#requested.length === 0) return undefined;
    if (!this.#options.hasSpace()) {
      this.#retryLater();
      return undefined;
    }
    if (building) return this.#isWithinBytes() ? { definition: building } : this.#makeRoom(building);
    return this.#nextRequest();
  }

  #nextRequest(): IndexStep | undefined {
    const { definitions } = this.#options.indexes;
    const isFull = definitions.length >= MAX_INDEXES || !this.#isWithinBytes();
    const unused = isFull
      ? this.#leastRecentlyUsed(this.#options.clock.elapsed() - UNUSED_AFTER_MS)
      : undefined;
    if (unused) return phaseStep(unused, 'dropping');
    const target = this.#requested.shift();
    // All indexes are in use: later lists may ask again.
    if (!target || isFull) return target && this.#nextRequest();
    return createStep(target, (id) => this.touch(id));
  }

  /** Drops an unused index, or else the one that is being built. */
  #makeRoom(building: IndexDefinition): IndexStep {
    const unused = this.#leastRecentlyUsed(this.#options.clock.elapsed() - UNUSED_AFTER_MS);
    return phaseStep(unused ?? building, 'dropping');
  }

  #leastRecentlyUsed(beforeMs: number): IndexDefinition | undefined {
    let oldest: IndexDefinition | undefined;
    let oldestMs = beforeMs;
    for (const definition of this.#options.indexes.definitions) {
      const usedAtMs = this.#usedAtMs.get(definition.id) ?? this.#startedAtMs;
      if (definition.phase !== 'ready' || usedAtMs > oldestMs) continue;
      oldest = definition;
      oldestMs = usedAtMs;
    }
    return oldest;
  }

  #isWithinBytes(): boolean {
    let bytes = 0;
    for (const definition of this.#options.indexes.definitions) bytes += definition.bytes;
    return bytes * BYTES_PER_ENTRY_BYTE < MAX_INDEX_BYTES;
  }
}

const stepCostBytes = STEP_ENTRIES * INDEX_ENTRY_BYTES;

function isSame(one: Target, other: Target): boolean {
  return one.prefix === other.prefix && one.kind === other.kind && one.name === other.name;
}

/** `onCreate`: called with the id of the new index. */
function createStep(target: Target, onCreate: (id: number) => void): IndexStep {
  return {
    write(_tables, _snapshot, definitions) {
      if (definitions.some((definition) => isSame(definition, target))) return definitions;
      const id = lowestFreeId(definitions);
      onCreate(id);
      return [...definitions, { ...target, id, phase: 'building', position: '', bytes: 0 }];
    },
  };
}

/** Ids start at 1. */
function lowestFreeId(definitions: readonly IndexDefinition[]): number {
  const used = new Set(definitions.map(({ id }) => id));
  let id = 1;
  while (used.has(id)) id++;
  return id;
}

function phaseStep({ id }: IndexDefinition, phase: IndexDefinition['phase']): IndexStep {
  return {
    write: (_tables, _snapshot, definitions) => replaceDefinition(definitions, id, { phase }),
  };
}

function replaceDefinition(
  definitions: readonly IndexDefinition[],
  id: number,
  changes: Partial<IndexDefinition>,
): readonly IndexDefinition[] {
  return definitions.map((definition) => (definition.id === id ? { ...definition, ...changes } : definition));
}

/** Writes the next entries of a collection, and with the last ones the progress of the index. */
function buildStep(collection: IndexCollection): IndexStep {
  return {
    write({ indexes }, _snapshot, definitions) {
      const { definition, result } = collection;
      if (!indexes || !definitions.includes(definition)) return definitions;
      for (const entry of collection.next(STEP_ENTRIES)) putEntry(indexes, entry);
      return collection.isLast(STEP_ENTRIES)
        ? replaceDefinition(definitions, definition.id, result)
        : definitions;
    },
  };
}

/** Resolves when no transaction is being written. */
const emptyStep: IndexStep = { write: (_tables, _snapshot, definitions) => definitions };

/** Removes the next entries of an index, and its definition once none is left. */
function dropStep(definition: IndexDefinition): IndexStep {
  return {
    write({ indexes }: Tables, { options }, definitions) {
      let count = 0;
      const range = { ...entriesOfIndex(definition), limit: STEP_REMOVALS };
      for (const entry of indexes?.getKeys({ ...options, ...range }) ?? []) {
        void indexes!.remove(entry);
        count++;
      }
      return count < STEP_REMOVALS ? definitions.filter(({ id }) => id !== definition.id) : definitions;
    },
  };
}
