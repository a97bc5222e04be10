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

/** Offsets of the fields. */
const layout = { committedAtMs: 0, previousRevision: 8, isDeletion: 16, key: 17 } as const;

export interface LogEntry {
  readonly key: string;
  /** In milliseconds since the epoch. */
  readonly committedAtMs: number;
  /** 0 for a creation. */
  readonly previousRevision: Revision;
  readonly isDeletion: boolean;
}

export function encodeLogEntry({ type, key, committedAtMs, previous }: Change): Buffer {
  const bytes = Buffer.allocUnsafe(layout.key + Buffer.byteLength(key));
  bytes.writeDoubleLE(committedAtMs, layout.committedAtMs);
  writeRevision(bytes, previous?.revision ?? 0, layout.previousRevision);
  bytes[layout.isDeletion] = type === 'deleted' ? 1 : 0;
  bytes.write(key, layout.key);
  return bytes;
}

export function decodeLogEntry(bytes: Buffer): LogEntry {
  return {
    key: bytes.toString('utf8', layout.key),
    committedAtMs: bytes.readDoubleLE(layout.committedAtMs),
    previousRevision: readRevision(bytes, layout.previousRevision),
    isDeletion: bytes[layout.isDeletion] === 1,
  };
}
