/**
 * The LMDB tables of the data file:
 *
 * - objects: key → record of the current state
 * - versions: revision → record of a state that a change in the log replaced or deleted
 * - log: prefix, NUL, revision → log entry; the changes of each resource are contiguous
 * - order: revision → prefix; locates the log entries of all resources in revision order
 * - expiries: time, key → prefix; the objects with a TTL, by expiry time
 * - indexes: index, hash of a value, key without prefix → nothing; the indexes of labels and fields (index-entries.ts)
 * - meta: `directory` → label of the directory; `state` → revision, compacted revision, object count;
 *   `selector-indexes` → the list of indexes (index-catalogue.ts)
 */
import type { Database, DatabaseOptions, RootDatabase } from 'lmdb';
import type { Revision } from '../store.ts';
import { readRevision, writeRevision } from './record.ts';

export interface Tables {
  readonly objects: Database<Buffer, string>;
  readonly versions: Database<Buffer, Revision>;
  readonly log: Database<Buffer, Buffer>;
  readonly order: Database<Buffer, Revision>;
  readonly expiries: Database<Buffer, Buffer>;
  /** Undefined in a file of an older format that is open for reading. */
  readonly indexes: Database<Buffer, Buffer> | undefined;
  readonly meta: Database<Buffer, string>;
}

/** Counters that need no scan; written with every transaction. */
export interface StoreState {
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly objects: number;
}

export function openTables(root: RootDatabase<Buffer, Buffer>): Tables {
  return {
    objects: root.openDB<Buffer, string>('objects', textKeys),
    versions: root.openDB<Buffer, Revision>('versions', revisionKeys),
    log: root.openDB<Buffer, Buffer>('log', byteKeys),
    order: root.openDB<Buffer, Revision>('order', revisionKeys),
    expiries: root.openDB<Buffer, Buffer>('expiries', byteKeys),
    indexes: root.openDB<Buffer, Buffer>('indexes', byteKeys) as Database<Buffer, Buffer> | undefined,
    meta: root.openDB<Buffer, string>('meta', textKeys),
  };
}

/** lmdb accepts these options per table but declares them for the environment only. */
interface TableOptions<Key> extends DatabaseOptions {
  readonly encoder: typeof encoder;
  /** `writeKey` returns the offset after the key. A range may be given as bytes. */
  readonly keyEncoder?: {
    writeKey(key: Key | Buffer, target: Buffer, offset: number): number;
    readKey(source: Buffer, start: number, end: number): Key;
  };
}

/**
 * lmdb reuses one buffer for all reads, so values must be copied. Its `length` is overwritten to the value's length,
 * but Buffer methods may use the length it was allocated with.
 */
const encoder = {
  encode: (value: Buffer): Buffer => value,
  decode(value: Buffer): Buffer {
    const copy = Buffer.allocUnsafe(value.length);
    copy.set(new Uint8Array(value.buffer, value.byteOffset, value.length));
    return copy;
  },
};

/** UTF-8, whose byte order is key order. A range may end between keys, at bytes that are not valid text. */
export const textKeys: TableOptions<string> = {
  encoder,
  keyEncoder: {
    writeKey: (key: string | Buffer, target: Buffer, offset: number): number =>
      offset + (typeof key === 'string' ? target.write(key, offset) : key.copy(target, offset)),
    readKey: (source: Buffer, start: number, end: number): string => source.toString('utf8', start, end),
  },
};

const revisionKeys: TableOptions<Revision> = {
  encoder,
  keyEncoder: {
    writeKey(revision: Revision | Buffer, target: Buffer, offset: number): number {
      if (typeof revision !== 'number') return offset + revision.copy(target, offset);
      writeRevision(target, revision, offset);
      return offset + 8;
    },
    readKey: (source: Buffer, start: number): Revision => readRevision(source, start),
  },
};

const byteKeys: TableOptions<Buffer> = { encoder, keyEncoding: 'binary' };

export function logKey(prefix: string, revision: Revision): Buffer {
  const length = Buffer.byteLength(prefix);
  const key = Buffer.allocUnsafe(length + 9);
  key.write(prefix, 0);
  key[length] = 0;
  writeRevision(key, revision, length + 1);
  return key;
}

export function revisionOfLogKey(key: Buffer): Revision {
  return readRevision(key, key.length - 8);
}

/** The time in an expiry key: whole milliseconds, rounded up, so that an object whose time has come has expired. */
export function expiryTimeMs(expiresAtMs: number): number {
  return Math.max(0, Math.ceil(expiresAtMs));
}

export function expiryKey(expiresAtMs: number, key: string): Buffer {
  const bytes = Buffer.allocUnsafe(8 + Buffer.byteLength(key));
  writeRevision(bytes, expiryTimeMs(expiresAtMs), 0);
  bytes.write(key, 8);
  return bytes;
}

export function readExpiryKey(bytes: Buffer): { readonly timeMs: number; readonly key: string } {
  return { timeMs: readRevision(bytes, 0), key: bytes.toString('utf8', 8) };
}

export function writeState(state: StoreState): Buffer {
  const bytes = Buffer.allocUnsafe(24);
  bytes.writeDoubleLE(state.revision, 0);
  bytes.writeDoubleLE(state.compacted, 8);
  bytes.writeDoubleLE(state.objects, 16);
  return bytes;
}

export function readState(bytes: Buffer | undefined): StoreState {
  if (!bytes) return { revision: 0, compacted: 0, objects: 0 };
  return {
    revision: bytes.readDoubleLE(0),
    compacted: bytes.readDoubleLE(8),
    objects: bytes.readDoubleLE(16),
  };
}

/**
 * The exclusive end of the range of keys that start with `prefix`; undefined (no end) for ''. UTF-8 never contains byte
 * 255, so the increment cannot overflow.
 */
export function endOfPrefix(prefix: string): Buffer | undefined {
  if (prefix === '') return undefined;
  const end = Buffer.from(prefix);
  end[end.length - 1]!++;
  return end;
}
