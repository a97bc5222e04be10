/**
 * How a change lies in the log, under its revision:
 *
 * ```
 *  0  u16  length of the prefix
 *  2  u16  length of the key
 *  4  u32  length of the new state's record; 0 for a deletion, whose last state is made from the one before
 *  8  u32  length of the previous state's record; 0 for a creation
 * 12  f64  when it was committed, in milliseconds since the epoch
 * 20  prefix, key, new state, previous state
 * ```
 */
import { respliced } from '../splice.ts';
import type { Change, Draft, Revision } from '../store.ts';
import { planRecord, StoredRecord, writeRecord } from './record.ts';

const HEADER = 20;

export interface NewEntry {
  readonly revision: Revision;
  readonly prefix: string;
  readonly key: string;
  readonly at: number;
  readonly draft: Draft | null;
  readonly previous: StoredRecord | undefined;
}

export interface MadeEntry {
  readonly change: Change;
  /** The entry's bytes. */
  readonly value: Buffer;
  /** The new state of the key; undefined for a deletion. */
  readonly state: StoredRecord | undefined;
}

/** Lays out the entry in one buffer of which the new object's bytes are a part: nothing is copied twice. */
export function makeEntry(entry: NewEntry): MadeEntry {
  const { revision, prefix, key, at, draft, previous } = entry;
  const plan = draft && planRecord(draft, revision);
  const prefixLength = Buffer.byteLength(prefix);
  const keyLength = Buffer.byteLength(key);
  const recordStart = HEADER + prefixLength + keyLength;
  const recordEnd = recordStart + (plan?.length ?? 0);
  const previousLength = previous?.record.length ?? 0;
  const value = Buffer.allocUnsafe(recordEnd + previousLength);
  value.writeUInt16LE(prefixLength, 0);
  value.writeUInt16LE(keyLength, 2);
  value.writeUInt32LE(recordEnd - recordStart, 4);
  value.writeUInt32LE(previousLength, 8);
  value.writeDoubleLE(at, 12);
  value.write(prefix, HEADER);
  value.write(key, HEADER + prefixLength);
  previous?.record.copy(value, recordEnd);
  if (!plan)
    return { change: changeOf(revision, prefix, key, at, undefined, previous), value, state: undefined };
  const record = value.subarray(recordStart, recordEnd);
  writeRecord(record, plan, revision);
  const state = new StoredRecord(key, record);
  return { change: changeOf(revision, prefix, key, at, state, previous), value, state };
}

/** The change that an entry of the log tells of. `value` must stay as it is. */
export function readEntry(revision: Revision, value: Buffer): Change {
  const { prefix, at, recordStart } = readEntryHead(value);
  const key = value.toString('utf8', HEADER + value.readUInt16LE(0), recordStart);
  const recordEnd = recordStart + value.readUInt32LE(4);
  const previousEnd = recordEnd + value.readUInt32LE(8);
  const state =
    recordEnd > recordStart ? new StoredRecord(key, value.subarray(recordStart, recordEnd)) : undefined;
  const previous =
    previousEnd > recordEnd ? new StoredRecord(key, value.subarray(recordEnd, previousEnd)) : undefined;
  return changeOf(revision, prefix, key, at, state, previous);
}

/** As much of an entry as compaction needs. */
export function readEntryHead(value: Buffer): { prefix: string; at: number; recordStart: number } {
  const prefixEnd = HEADER + value.readUInt16LE(0);
  return {
    prefix: value.toString('utf8', HEADER, prefixEnd),
    at: value.readDoubleLE(12),
    recordStart: prefixEnd + value.readUInt16LE(2),
  };
}

function changeOf(
  revision: Revision,
  prefix: string,
  key: string,
  at: number,
  state: StoredRecord | undefined,
  previous: StoredRecord | undefined,
): Change {
  if (state && previous) return { revision, type: 'updated', prefix, key, object: state, previous, at };
  if (state) return { revision, type: 'created', prefix, key, object: state, at };
  if (previous) {
    return { revision, type: 'deleted', prefix, key, object: respliced(previous, revision), previous, at };
  }
  throw new Error(`the change at revision ${revision} has no state before or after it`);
}
