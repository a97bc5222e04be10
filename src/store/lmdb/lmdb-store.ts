/**
 * The embedded store: one file, mapped into memory, written by this process alone. Writes share transactions and are
 * told of only once they are on disk.
 */
import type { Change, Revision, Write } from '../store.ts';
import { ExpirySweep } from './expiry-sweep.ts';
import { LmdbBacked, type LmdbFileOptions, type OwnedFile, openFile } from './lmdb-backed.ts';

export class LmdbStore extends LmdbBacked {
  readonly mayLag = false;
  readonly #expiry: ExpirySweep;

  private constructor(options: LmdbFileOptions, file: OwnedFile) {
    super(options, file);
    this.#expiry = new ExpirySweep(this.environment, this.queue, options.clock);
    this.subscribe((changes) => this.#expiry.notice(changes));
  }

  /** Throws DataDirectoryError if the directory cannot be used or another process uses it. */
  static open(options: LmdbFileOptions): LmdbStore {
    return new LmdbStore(options, openFile(options, 'each commit'));
  }

  /** Names the cluster this data belongs to, for as long as the directory lives. */
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
