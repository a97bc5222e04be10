/**
 * Binary format of a change log entry, keyed by resource and revision. The states before and after the change are not
 * part of it: each state is stored once, in `objects` while it is current and in `versions` once it is replaced.
 *
 * ```
 *  0  f64  commit time, in milliseconds since the epoch
 *  8  u64  revision of the previous state; 0 for a creation
 * 16  u8   1 for a deletion, else 0
 * 17  key
 * ```
 */
import type { Change, Revision } from '../store.ts';
import { readRevision, writeRevision } from './record.ts';

const HEADER = 17;

export interface LogEntry {
  readonly key: string;
  readonly committedAtMs: number;
  /** 0 for a creation. */
  readonly previousRevision: Revision;
  readonly isDeletion: boolean;
}

export function encodeLogEntry({ type, key, committedAtMs: at, previous }: Change): Buffer {
  const value = Buffer.allocUnsafe(HEADER + Buffer.byteLength(key));
  value.writeDoubleLE(at, 0);
  writeRevision(value, previous?.revision ?? 0, 8);
  value[16] = type === 'deleted' ? 1 : 0;
  value.write(key, HEADER);
  return value;
}

export function decodeLogEntry(value: Buffer): LogEntry {
  return {
    key: value.toString('utf8', HEADER),
    committedAtMs: value.readDoubleLE(0),
    previousRevision: readRevision(value, 8),
    isDeletion: value[16] === 1,
  };
}
