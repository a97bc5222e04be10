/** Embedded storage backend: a memory-mapped LMDB file written by this process alone, with group commit. */
import { localReader } from '../consistent-reader.ts';
import type { Change, Revision, Write } from '../store.ts';
import { ExpirySweep } from './expiry-sweep.ts';
import {
  LmdbBackedStore,
  type LmdbFileOptions,
  type LockedDirectory,
  openLockedDirectory,
} from './lmdb-backed.ts';

export class LmdbStore extends LmdbBackedStore {
  readonly isShared = false;
  readonly reader = localReader;
  readonly #expiry: ExpirySweep;

  private constructor(options: LmdbFileOptions, file: LockedDirectory) {
    super(options, file);
    this.#expiry = new ExpirySweep(this.environment, this.queue, options.clock);
    this.subscribe((changes) => this.#expiry.onChanges(changes));
  }

  /** Throws DataDirectoryError if the directory cannot be used or another process uses it. */
  static open(options: LmdbFileOptions): LmdbStore {
    return new LmdbStore(options, openLockedDirectory(options, 'fsync'));
  }

  /** Identifies the cluster that the data belongs to, for the lifetime of the directory. */
  get uid(): string {
    return this.environment.label.uid;
  }

  commit(write: Write): Promise<Change> {
    return this.queue.commit(write);
  }

  async head(): Promise<Revision> {
    return this.revision;
  }

  protected finish(): Promise<void> {
    this.#expiry.stop();
    return this.queue.close();
  }
}
