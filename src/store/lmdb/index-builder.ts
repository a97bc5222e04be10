/**
 * Builds indexes of labels and fields on demand, and drops those that are no longer used.
 *
 * A list that reads many more objects than it returns counts towards an index of each of its equality requirements. Once a label or
 * field has caused enough reads, its index is built in steps, each at the start of a transaction of the group commit, while
 * writes go on. Until the index is complete, lists read all objects.
 *
 * Invariant: one step is pending at a time.
 */
import type { Clock } from '../../base/clock.ts';
import type { SelectorScan } from '../store.ts';
import type { ReadSnapshot } from './environment.ts';
import type { IndexDefinition } from './index-catalogue.ts';
import { entriesOfIndex, entryKey, indexedValue, putEntry } from './index-entries.ts';
import { StoredRecord } from './record.ts';
import { INDEX_ENTRY_BYTES } from './space.ts';
import { endOfPrefix, type Tables } from './tables.ts';
import type { IndexStep, WriterIndexes } from './writer-indexes.ts';

/** A list has read too many objects if it has read this many for each that it returned, ... */
const EXAMINED_PER_RETURNED = 16;
/** ... and this many more than that. */
const MIN_EXCESS = 1_000;
/** The number of objects that lists have read in excess for a label or field, from which its index is built. */
const BUILD_AT_EXCESS = 20_000;
const MAX_COUNTED_REQUIREMENTS = 1_000;

/** Limits of a step. */
const STEP_OBJECTS = 256;
const STEP_BYTES = 1024 * 1024;
const STEP_REMOVALS = 2_000;

/** Bounds of all indexes together. */
const MAX_INDEXES = 16;
const MAX_INDEX_BYTES = 2 * 1024 ** 3;
/** LMDB's pages of an index are half full at worst. */
const BYTES_PER_ENTRY_BYTE = 2;
const ENTRY_OVERHEAD_BYTES = 12;
/** An index that was used since is not dropped for another one. */
const UNUSED_AFTER_MS = 10 * 60_000;

/** Pause before the next attempt after a failed step, or if there is little space. */
const RETRY_MS = 5_000;
/** Steps between two measurements of the space. */
const STEPS_PER_MEASUREMENT = 32;

/** The group commit, as far as the builder needs it. */
interface StepQueue {
  /** Resolves once the step is durable. */
  runIndexStep(step: IndexStep, costBytes: number): Promise<void>;
}

export interface IndexBuilderOptions {
  readonly indexes: WriterIndexes;
  readonly queue: StepQueue;
  readonly clock: Clock;
  /** Whether there is enough space on the disk, and below the quota, for more entries. */
  readonly hasSpace: () => boolean;
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
  #stepsUntilMeasurement = 0;
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
      for (let step = this.#nextStep(); step && !this.#stopped; step = this.#nextStep())
        await this.#options.queue.runIndexStep(step, stepCostBytes);
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

  /** Undefined if there is nothing to do, or too little space. */
  #nextStep(): IndexStep | undefined {
    const { definitions } = this.#options.indexes;
    const dropping = definitions.find(({ phase }) => phase === 'dropping');
    if (dropping) return dropStep(dropping);
    const building = definitions.find(({ phase }) => phase === 'building');
    if (!building && this.#requested.length === 0) return undefined;
    if (!this.#hasSpace()) {
      this.#retryLater();
      return undefined;
    }
    if (building) return this.#isWithinBytes() ? buildStep(building) : this.#makeRoom(building);
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

  #hasSpace(): boolean {
    if (this.#stepsUntilMeasurement > 0) {
      this.#stepsUntilMeasurement--;
      return true;
    }
    const hasSpace = this.#options.hasSpace();
    if (hasSpace) this.#stepsUntilMeasurement = STEPS_PER_MEASUREMENT;
    return hasSpace;
  }
}

const stepCostBytes = STEP_OBJECTS * INDEX_ENTRY_BYTES;

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

/** Adds the entries of the next objects. An index of objects that cannot be read is dropped. */
function buildStep({ id }: IndexDefinition): IndexStep {
  return {
    write({ indexes }, snapshot, definitions) {
      const definition = definitions.find((each) => each.id === id);
      if (!definition || !indexes) return definitions;
      try {
        const { entries, position, isComplete } = entriesAfter(snapshot, definition);
        for (const entry of entries) putEntry(indexes, entry);
        const added = entries.reduce((sum, entry) => sum + entry.length + ENTRY_OVERHEAD_BYTES, 0);
        return replaceDefinition(definitions, id, {
          position,
          bytes: definition.bytes + added,
          ...(isComplete && { phase: 'ready' }),
        });
      } catch {
        return replaceDefinition(definitions, id, { phase: 'dropping' });
      }
    },
  };
}

interface BuiltEntries {
  readonly entries: readonly Buffer[];
  /** The last key that was read. */
  readonly position: string;
  readonly isComplete: boolean;
}

/** Reads the next objects of the resource, up to the limits of a step. */
function entriesAfter({ tables, options }: ReadSnapshot, definition: IndexDefinition): BuiltEntries {
  const start = `${definition.prefix}/`;
  const entries: Buffer[] = [];
  let { position } = definition;
  let bytes = 0;
  let count = 0;
  for (const { key, value } of tables.objects.getRange({
    ...options,
    start: position || start,
    exclusiveStart: position !== '',
    end: endOfPrefix(start)!,
    limit: STEP_OBJECTS,
  })) {
    const indexed = indexedValue(definition, new StoredRecord(key, value));
    if (indexed !== undefined) entries.push(entryKey(definition, indexed, key));
    position = key;
    bytes += value.length;
    if (++count === STEP_OBJECTS || bytes >= STEP_BYTES) return { entries, position, isComplete: false };
  }
  return { entries, position, isComplete: true };
}

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
