/** `orch store check`: verifies the consistency of a data directory that is not in use. Read-only. */
import { readReplicaSource } from '../etcd/full-sync.ts';
import { compareKeys } from '../lists/key-order.ts';
import type { Revision, StoredObject } from '../store.ts';
import { encodePairs } from '../stored-object.ts';
import { readChange } from './change.ts';
import { assertDataDirectory, DataDirectoryError } from './directory.ts';
import { LmdbEnvironment, type ReadSnapshot } from './environment.ts';
import { type IndexDefinition, readCatalogue } from './index-catalogue.ts';
import { entriesOfIndex, entryKey, idOfEntry, indexedValue, keyOfEntry } from './index-entries.ts';
import { decodeLogEntry } from './log-entry.ts';
import { findOwnerPid } from './owner.ts';
import { StoredRecord } from './record.ts';
import { endOfPrefix, expiryKey, expiryTimeMs, logKey, readExpiryKey, type Tables } from './tables.ts';

export interface DirectoryCheck {
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly objects: number;
  readonly changes: number;
  /** One line per inconsistency; empty if there is none. */
  readonly findings: readonly string[];
}

const MAX_FINDINGS = 1_000;

export async function checkDirectory(dir: string): Promise<DirectoryCheck> {
  assertDataDirectory(dir);
  const owner = findOwnerPid(dir);
  if (owner !== undefined) {
    throw new DataDirectoryError(`${dir} is in use by process ${owner}; stop it, or check a backup`);
  }
  const environment = LmdbEnvironment.openForReading(dir);
  try {
    const isReplica = readReplicaSource(environment) !== undefined;
    return new Checker(environment.snapshot, isReplica).run();
  } finally {
    await environment.close();
  }
}

class Checker {
  readonly #snapshot: ReadSnapshot;
  /** Whether the directory is a replica of etcd. Its revisions have gaps, because other programs write to etcd too. */
  readonly #isReplica: boolean;
  readonly #findings: string[] = [];
  /** The revision of each key after its last change in the log; 0 if that change deleted it. */
  readonly #lastRevisions = new Map<string, Revision>();
  /** The revisions of the states that changes in the log have replaced. */
  readonly #replaced = new Set<Revision>();

  constructor(snapshot: ReadSnapshot, isReplica: boolean) {
    this.#snapshot = snapshot;
    this.#isReplica = isReplica;
  }

  run(): DirectoryCheck {
    const { state } = this.#snapshot;
    const changes = this.#checkLog();
    this.#checkVersions();
    const objects = this.#checkObjects();
    this.#checkExpiries();
    this.#checkIndexes();
    if (objects !== state.objects)
      this.#report(`${objects} objects found, but the counter is ${state.objects}`);
    const { revision, compacted } = state;
    return { revision, compacted, objects, changes, findings: this.#findings };
  }

  /**
   * Entries up to `compacted` may not have been removed yet; deletions on a full disk have none, and leave earlier ones
   * without their states. After it there is one entry per revision (in a replica: for some revisions). Returns the
   * number of entries.
   */
  #checkLog(): number {
    const { tables, options, state } = this.#snapshot;
    let count = 0;
    let previous: Revision = state.compacted;
    for (const { key: revision, value: prefix } of tables.order.getRange({ ...options, start: 0 })) {
      count++;
      if (revision > state.compacted) {
        if (revision !== previous + 1 && !this.#isReplica)
          this.#report(`the log has a gap between revision ${previous} and ${revision}`);
        previous = revision;
      }
      this.#try(`change ${revision}`, () => this.#checkEntry(revision, prefix.toString()));
    }
    if (previous !== state.revision)
      this.#report(`the log ends at revision ${previous}, not at ${state.revision}`);
    const entries = tables.log.getKeysCount({ ...options });
    if (entries !== count) this.#report(`the log has ${entries} entries for ${count} changes`);
    return count;
  }

  #checkEntry(revision: Revision, prefix: string): void {
    const { tables, options } = this.#snapshot;
    const value = tables.log.get(logKey(prefix, revision), options);
    if (!value) {
      this.#report(`the log of ${prefix} has no entry for revision ${revision}`);
      return;
    }
    const entry = decodeLogEntry(value);
    const { key, previousRevision, isDeletion } = entry;
    const name = `change ${revision} of ${key}`;
    if (previousRevision !== 0) this.#replaced.add(previousRevision);
    if (revision <= this.#snapshot.state.compacted) return;
    this.#checkPreviousRevision(name, key, revision, previousRevision);
    this.#lastRevisions.set(key, isDeletion ? 0 : revision);
    const { object, previous } = readChange(this.#snapshot, prefix, revision, entry);
    this.#checkObject(name, object);
    if (object.revision !== revision) this.#report(`${name} holds the object of revision ${object.revision}`);
    if (!previous) return;
    this.#checkObject(`the state before ${name}`, previous);
    if (previous.revision !== previousRevision)
      this.#report(`the state stored for revision ${previousRevision} has revision ${previous.revision}`);
  }

  /** The previous revision must be that of the key's previous change, or compacted. */
  #checkPreviousRevision(name: string, key: string, revision: Revision, previousRevision: Revision): void {
    const lastRevision = this.#lastRevisions.get(key);
    if (lastRevision !== undefined) {
      if (previousRevision !== lastRevision)
        this.#report(`${name} does not follow from the change before it`);
    } else if (previousRevision >= revision || previousRevision > this.#snapshot.state.compacted) {
      this.#report(`${name} follows revision ${previousRevision}, which is not in the log before it`);
    }
  }

  /** Missing versions were found with the log; this finds versions that no log entry refers to. */
  #checkVersions(): void {
    const { tables, options } = this.#snapshot;
    for (const revision of tables.versions.getKeys({ ...options, start: 0 })) {
      if (!this.#replaced.has(revision))
        this.#report(
          `the state of revision ${revision} is stored, although no change in the log replaced it`,
        );
    }
  }

  #checkObjects(): number {
    const { tables, options, state } = this.#snapshot;
    let count = 0;
    for (const { key, value } of tables.objects.getRange({ ...options, start: '' })) {
      count++;
      this.#try(key, () => {
        const object = new StoredRecord(key, value);
        this.#checkObject(key, object);
        if (object.revision > state.revision)
          this.#report(`${key} has revision ${object.revision}, higher than that of the store`);
        this.#checkLastChange(object);
        const { expiresAtMs } = object;
        if (expiresAtMs !== undefined && !tables.expiries.get(expiryKey(expiresAtMs, key), options)) {
          this.#report(`${key} is missing in the expiry index`);
        }
      });
    }
    for (const [key, lastRevision] of this.#lastRevisions) {
      if (lastRevision !== 0)
        this.#report(`${key} is missing, although its last change, ${lastRevision}, did not delete it`);
    }
    return count;
  }

  #checkLastChange({ key, revision }: StoredRecord): void {
    const lastRevision = this.#lastRevisions.get(key);
    // Keys that stay in the map have no object.
    this.#lastRevisions.delete(key);
    if (lastRevision === 0) this.#report(`${key} exists, although its last change deleted it`);
    else if (lastRevision !== undefined && lastRevision !== revision)
      this.#report(`${key} differs from its last change, ${lastRevision}`);
    else if (lastRevision === undefined && revision > this.#snapshot.state.compacted)
      this.#report(`${key} has revision ${revision}, which is not in the log`);
  }

  #checkExpiries(): void {
    const { tables, options } = this.#snapshot;
    for (const expiry of tables.expiries.getKeys({ ...options })) {
      const { timeMs, key } = readExpiryKey(expiry);
      this.#try(`the expiry of ${key}`, () => {
        const record = tables.objects.get(key, options);
        const expiresAtMs = record && new StoredRecord(key, record).expiresAtMs;
        if (expiresAtMs === undefined || expiryTimeMs(expiresAtMs) !== timeMs) {
          this.#report(
            `the expiry index has ${key} at ${timeMs}, but the object is missing or expires at another time`,
          );
        }
      });
    }
  }

  /** Every object up to the position of an index has an entry with its value, and no object has another one. */
  #checkIndexes(): void {
    const { tables, options } = this.#snapshot;
    const { indexes } = tables;
    if (!indexes) return;
    const definitions = readCatalogue(this.#snapshot);
    const ids = new Set(definitions.map(({ id }) => id));
    for (const entry of indexes.getKeys({ ...options })) {
      const id = idOfEntry(entry);
      if (!ids.has(id)) this.#report(`an entry belongs to index ${id}, which does not exist`);
    }
    for (const definition of definitions)
      if (definition.phase !== 'dropping') this.#checkIndex(indexes, definition);
  }

  #checkIndex(indexes: NonNullable<Tables['indexes']>, definition: IndexDefinition): void {
    const { tables, options } = this.#snapshot;
    const { prefix, kind, name, phase, position } = definition;
    const title = `the index of the ${kind} ${name} of ${prefix}`;
    const start = `${prefix}/`;
    for (const { key, value } of tables.objects.getRange({ ...options, start, end: endOfPrefix(start)! })) {
      const isIncluded = phase === 'ready' || (position !== '' && compareKeys(key, position) <= 0);
      const indexed = indexedValue(definition, new StoredRecord(key, value));
      if (!isIncluded || indexed === undefined) continue;
      if (!indexes.get(entryKey(definition, indexed, key), options))
        this.#report(`${key} is missing in ${title}`);
    }
    for (const entry of indexes.getKeys({ ...options, ...entriesOfIndex(definition) })) {
      const key = keyOfEntry(definition, entry);
      const record = tables.objects.get(key, options);
      const indexed = record && indexedValue(definition, new StoredRecord(key, record));
      if (indexed === undefined || !entryKey(definition, indexed, key).equals(entry))
        this.#report(`${title} has ${key} with a value that it does not have`);
    }
  }

  #checkObject(name: string, object: StoredObject): void {
    const json = JSON.parse(object.json.toString());
    const { revision, revisionOffset, revisionLength } = object;
    const spliced = object.json.toString('latin1', revisionOffset, revisionOffset + revisionLength);
    if (spliced !== String(revision) || json.metadata?.resourceVersion !== spliced) {
      this.#report(`${name} has revision ${revision}, but its JSON says ${json.metadata?.resourceVersion}`);
    }
    if (object.labels !== encodePairs(json.metadata?.labels)) {
      this.#report(`the indexed labels of ${name} differ from those in its JSON`);
    }
    if (object.listItemOffset < 1 || object.listItemOffset > revisionOffset)
      this.#report(`${name} has no offset of its list item`);
  }

  /** Reports an exception as a finding, since damaged records may be undecodable. */
  #try(name: string, inspect: () => void): void {
    try {
      inspect();
    } catch (error) {
      this.#report(`${name} cannot be read: ${error instanceof Error ? error.message : error}`);
    }
  }

  #report(finding: string): void {
    if (this.#findings.length < MAX_FINDINGS) this.#findings.push(finding);
  }
}
