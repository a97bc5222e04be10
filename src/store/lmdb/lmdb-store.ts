/** Embedded storage backend: a memory-mapped LMDB file written by this process alone, with group commit. */
import { localReader } from '../consistent-reader.ts';
import type { Change, Revision, StoreStats, Write } from '../store.ts';
import { ConflictScopes } from './conflict-scopes.ts';
import { ExpirySweep } from './expiry-sweep.ts';
import {
  LmdbBackedStore,
  type LmdbFileOptions,
  type LockedDirectory,
  openLockedDirectory,
} from './lmdb-backed.ts';
import { SpaceBudget } from './space-budget.ts';

export interface LmdbStoreOptions extends LmdbFileOptions {
  /** Maximum of the used bytes, above which nothing that grows is accepted; 0 (the default) for none. */
  readonly quotaBytes?: number;
  /** Called with the reason when the store becomes full, and with undefined when it has space again. */
  readonly onSpaceChange?: (problem: string | undefined) => void;
  /** Other threads write through this store too (`../threads/`). */
  readonly isShared?: boolean;
}

export class LmdbStore extends LmdbBackedStore {
  readonly isShared: boolean;
  readonly reader = localReader;
  readonly #expiry: ExpirySweep;
  readonly #budget: SpaceBudget;
  readonly #scopes = new ConflictScopes();

  private constructor(options: LmdbStoreOptions, file: LockedDirectory) {
    const { clock, quotaBytes = 0, onSpaceChange = () => {}, isShared = false } = options;
    const { environment } = file;
    environment.openReserve();
    const budget = new SpaceBudget(environment, clock, { quotaBytes, onChange: onSpaceChange });
    super(options, file, budget);
    this.isShared = isShared;
    this.#budget = budget;
    this.#expiry = new ExpirySweep(this.environment, this.queue, options.clock);
    this.subscribe((changes) => this.#expiry.onChanges(changes));
  }

  /** Throws DataDirectoryError if the directory cannot be used or another process uses it. */
  static open(options: LmdbStoreOptions): LmdbStore {
    return new LmdbStore(options, openLockedDirectory(options, 'fsync'));
  }

  /** Identifies the cluster that the data belongs to, for the lifetime of the directory. */
  get uid(): string {
    return this.environment.label.uid;
  }

  commit(write: Write): Promise<Change> {
    const { conflictScope } = write;
    const commit = () => this.queue.commit(write);
    return conflictScope ? this.#scopes.commit(conflictScope, commit) : commit();
  }

  async head(): Promise<Revision> {
    return this.revision;
  }

  override stats(): StoreStats {
    this.#budget.measure();
    const { usedBytes, quotaBytes, problem } = this.#budget;
    return {
      ...super.stats(),
      usedBytes,
      quotaBytes: quotaBytes > 0 ? quotaBytes : undefined,
      outOfSpace: problem,
    };
  }

  protected finish(): Promise<void> {
    this.#budget.stop();
    this.#expiry.stop();
    return this.queue.close();
  }
}
