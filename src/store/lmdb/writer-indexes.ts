/**
 * The indexes of labels and fields as the writer knows them: updates their entries with every change, in the same transaction.
 *
 * Invariant: the definitions are those of the catalogue in the last durable transaction.
 */
import type { StoredObject } from '../store.ts';
import type { ReadSnapshot } from './environment.ts';
import { type IndexDefinition, readCatalogue, writeCatalogue } from './index-catalogue.ts';
import { IndexCollection } from './index-collection.ts';
import { updateEntry } from './index-entries.ts';
import { INDEX_ENTRY_BYTES } from './space.ts';
import type { Tables } from './tables.ts';

/** A step of building or dropping an index, which runs at the start of a transaction. */
export interface IndexStep {
  /**
   * Writes entries, and returns the definitions after the step. `snapshot` is the state before the transaction. Must not throw, as
   * the rest of the transaction would be lost.
   */
  write(
    tables: Tables,
    snapshot: ReadSnapshot,
    definitions: readonly IndexDefinition[],
  ): readonly IndexDefinition[];
}

export class WriterIndexes {
  #definitions: readonly IndexDefinition[] = [];
  /** The indexes to update, by resource prefix. */
  #updatedByPrefix = new Map<string, readonly IndexDefinition[]>();
  /** The part of an index that is being built. */
  #collection: IndexCollection | undefined;

  constructor(snapshot: ReadSnapshot) {
    this.reload(snapshot);
  }

  get definitions(): readonly IndexDefinition[] {
    return this.#definitions;
  }

  /** Starts to collect entries, which the changes of the resource must know of. Ends with `reload`, or the next one. */
  collect(definition: IndexDefinition, maxEntries: number): IndexCollection {
    this.#collection = new IndexCollection(definition, maxEntries);
    return this.#collection;
  }

  /** Undefined after the last one was discarded. */
  get collection(): IndexCollection | undefined {
    return this.#collection;
  }

  endCollection(): void {
    this.#collection = undefined;
  }

  /** Called when the contents of the file may have changed otherwise than by a batch of this process. */
  reload(snapshot: ReadSnapshot): void {
    // It may have left out objects whose changes have failed.
    this.#collection = undefined;
    this.replace(readCatalogue(snapshot));
  }

  /** Called once the transaction that wrote these definitions is durable. */
  replace(definitions: readonly IndexDefinition[]): void {
    this.#definitions = definitions;
    this.#updatedByPrefix = groupByPrefix(definitions);
  }

  /** Runs the steps of a transaction. Returns the definitions after it. */
  runSteps(steps: readonly IndexStep[], tables: Tables, snapshot: ReadSnapshot): readonly IndexDefinition[] {
    // Each step continues from the definitions of the one before it, so that a transaction may have several.
    let definitions = this.#definitions;
    for (const step of steps) definitions = step.write(tables, snapshot, definitions);
    if (definitions !== this.#definitions) writeCatalogue(tables, definitions);
    return definitions;
  }

  /** Updates the entries of a changed object. */
  update(
    { indexes }: Tables,
    prefix: string,
    key: string,
    before: StoredObject | undefined,
    after: StoredObject | undefined,
  ): void {
    const definitions = this.#updatedByPrefix.get(prefix);
    if (!definitions || !indexes) return;
    if (this.#collection?.definition.prefix === prefix) this.#collection.noteChange(key);
    for (const definition of definitions) updateEntry(indexes, definition, key, before, after);
  }

  /** Upper estimate of the bytes that a change of this resource needs for its indexes. */
  costBytes(prefix: string): number {
    if (this.#updatedByPrefix.size === 0) return 0;
    // One entry is removed and one is added.
    return 2 * INDEX_ENTRY_BYTES * (this.#updatedByPrefix.get(prefix)?.length ?? 0);
  }
}

function groupByPrefix(definitions: readonly IndexDefinition[]): Map<string, IndexDefinition[]> {
  const byPrefix = new Map<string, IndexDefinition[]>();
  for (const definition of definitions) {
    if (definition.phase === 'dropping') continue;
    const group = byPrefix.get(definition.prefix);
    if (group) group.push(definition);
    else byPrefix.set(definition.prefix, [definition]);
  }
  return byPrefix;
}
