/** Looks at everything in a data directory that no process uses, and tells what does not agree. Changes nothing. */
import { createHash } from 'node:crypto';
import { encodePairs } from '../pairs.ts';
import type { Change, Revision, StoredObject } from '../store.ts';
import { DataDirectoryError, requireDirectory } from './directory.ts';
import { Environment, type Reading } from './environment.ts';
import { readEntry } from './log-entry.ts';
import { ownerOf } from './owner.ts';
import { StoredRecord } from './record.ts';
import { expiryKey, expiryTime, readExpiryKey, resourceKey } from './tables.ts';

export interface CheckResult {
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly objects: number;
  readonly changes: number;
  /** What is wrong, one line each. Empty: all agrees. */
  readonly findings: readonly string[];
}

const MAX_FINDINGS = 1_000;

export async function check(dir: string): Promise<CheckResult> {
  requireDirectory(dir);
  const owner = ownerOf(dir);
  if (owner !== undefined) {
    throw new DataDirectoryError(`${dir} is in use by process ${owner}; stop that one, or check a backup`);
  }
  const environment = Environment.openForReading(dir);
  try {
    return new Checker(environment.reading).run();
  } finally {
    await environment.close();
  }
}

/** The state a key was left in by the last change seen, or undefined if that deleted it. */
type LastState = { readonly revision: Revision; readonly digest: string } | undefined;

class Checker {
  readonly #reading: Reading;
  readonly #findings: string[] = [];
  readonly #lastStates = new Map<string, LastState>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  run(): CheckResult {
    const { state } = this.#reading;
    const changes = this.#checkLog();
    const objects = this.#checkObjects();
    this.#checkExpiries();
    if (objects !== state.objects)
      this.#find(`there are ${objects} objects, but ${state.objects} were counted`);
    const { revision, compacted } = state;
    return { revision, compacted, objects, changes, findings: this.#findings };
  }

  /** Entries up to `compacted` may still lie about; after it there is one for every revision. */
  #checkLog(): number {
    const { tables, options, state } = this.#reading;
    let count = 0;
    let last: Revision | undefined;
    for (const { key: revision, value } of tables.log.getRange({ ...options, start: 0 })) {
      const expected: Revision = last === undefined ? Math.min(revision, state.compacted + 1) : last + 1;
      if (revision !== expected) this.#find(`the log goes from revision ${expected - 1} to ${revision}`);
      last = revision;
      count++;
      this.#try(`change ${revision}`, () => this.#checkChange(readEntry(revision, value)));
    }
    const reached = Math.max(last ?? 0, state.compacted);
    if (reached !== state.revision)
      this.#find(`the log ends at revision ${reached}, not at ${state.revision}`);
    const places = tables.resources.getKeysCount({ ...options });
    if (places !== count) this.#find(`${places} changes are listed by resource, but the log has ${count}`);
    return count;
  }

  #checkChange(change: Change): void {
    const { revision, type, prefix, key, object, previous } = change;
    const { tables, options } = this.#reading;
    const name = `change ${revision} of ${key}`;
    const place = tables.resources.get(resourceKey(prefix, revision), options);
    if (place?.toString() !== key) this.#find(`${name} is not listed under ${prefix}`);
    this.#checkObject(name, object);
    if (object.revision !== revision) this.#find(`${name} holds the object of revision ${object.revision}`);
    if (previous) this.#checkObject(`the state before ${name}`, previous);
    if (this.#lastStates.has(key)) {
      const before = this.#lastStates.get(key);
      if (before?.revision !== previous?.revision || before?.digest !== (previous && digestOf(previous))) {
        this.#find(`${name} does not follow from the change before it`);
      }
    } else if (previous && previous.revision >= revision) {
      this.#find(`${name} follows a later revision, ${previous.revision}`);
    }
    this.#lastStates.set(key, type === 'deleted' ? undefined : { revision, digest: digestOf(object) });
  }

  #checkObjects(): number {
    const { tables, options, state } = this.#reading;
    let count = 0;
    for (const { key, value } of tables.objects.getRange({ ...options, start: '' })) {
      count++;
      this.#try(key, () => {
        const object = new StoredRecord(key, value);
        this.#checkObject(key, object);
        if (object.revision > state.revision)
          this.#find(`${key} has a revision of the future, ${object.revision}`);
        this.#checkLastState(object);
        const { expiresAt } = object;
        if (expiresAt !== undefined && !tables.expiries.get(expiryKey(expiresAt, key), options)) {
          this.#find(`${key} is not listed among those that expire`);
        }
      });
    }
    for (const [key, last] of this.#lastStates) {
      if (last) this.#find(`${key} is missing, though its last change, ${last.revision}, did not delete it`);
    }
    return count;
  }

  #checkLastState(object: StoredRecord): void {
    const { key, revision } = object;
    if (this.#lastStates.has(key)) {
      const last = this.#lastStates.get(key);
      if (!last) this.#find(`${key} is there, though its last change deleted it`);
      else if (last.revision !== revision || last.digest !== digestOf(object)) {
        this.#find(`${key} is not as its last change, ${last.revision}, left it`);
      }
      this.#lastStates.delete(key);
    } else if (revision > this.#reading.state.compacted) {
      this.#find(`${key} has revision ${revision}, of which the log knows nothing`);
    }
  }

  #checkExpiries(): void {
    const { tables, options } = this.#reading;
    for (const place of tables.expiries.getKeys({ ...options })) {
      const { at, key } = readExpiryKey(place);
      this.#try(`the expiry of ${key}`, () => {
        const record = tables.objects.get(key, options);
        const expiresAt = record && new StoredRecord(key, record).expiresAt;
        if (expiresAt === undefined || expiryTime(expiresAt) !== at) {
          this.#find(`${key} is listed to expire at ${at}, but is not there or says otherwise`);
        }
      });
    }
  }

  #checkObject(name: string, object: StoredObject): void {
    const json = JSON.parse(object.json.toString());
    const { revision, revisionAt, revisionLength } = object;
    const spliced = object.json.toString('latin1', revisionAt, revisionAt + revisionLength);
    if (spliced !== String(revision) || json.metadata?.resourceVersion !== spliced) {
      this.#find(`${name} has revision ${revision}, but its JSON says ${json.metadata?.resourceVersion}`);
    }
    if (object.labels !== encodePairs(json.metadata?.labels)) {
      this.#find(`the labels kept beside ${name} are not those in its JSON`);
    }
    if (object.itemAt < 1 || object.itemAt > revisionAt)
      this.#find(`${name} does not say where a list's item begins`);
  }

  #try(name: string, look: () => void): void {
    try {
      look();
    } catch (error) {
      this.#find(`${name} cannot be read: ${error instanceof Error ? error.message : error}`);
    }
  }

  #find(finding: string): void {
    if (this.#findings.length < MAX_FINDINGS) this.#findings.push(finding);
  }
}

function digestOf(object: StoredObject): string {
  const { json, labels, fields, mark, expiresAt } = object;
  const hash = createHash('sha1').update(json);
  return hash.update(JSON.stringify([labels, fields, mark, expiresAt])).digest('base64');
}
