/**
 * How an object lies in the file: a small header, the texts that selectors need, then its JSON.
 *
 * ```
 *  0  u8   1 if the object expires, else 0
 *  1  u8   length of the revision's digits in the JSON
 *  2  u16  length of the mark
 *  4  u32  where those digits start in the JSON
 *  8  u32  length of the labels
 * 12  u32  length of the fields
 * 16  u64  revision
 * 24  f64  when it expires, in milliseconds since the epoch; 0 if it does not
 * 32  u32  where a list's item starts in the JSON
 * 36  mark, labels, fields, JSON
 * ```
 */
import type { Draft, Revision, StoredObject } from '../store.ts';

const HEADER = 36;

/** A stored object over its bytes. Texts beside the JSON are read when asked for: most readers never do. */
export class StoredRecord implements StoredObject {
  readonly key: string;
  readonly record: Buffer;
  readonly revision: Revision;
  readonly json: Buffer;
  readonly revisionAt: number;
  readonly revisionLength: number;

  constructor(key: string, record: Buffer) {
    this.key = key;
    this.record = record;
    this.revision = readRevision(record, 16);
    this.revisionAt = record.readUInt32LE(4);
    this.revisionLength = record[1]!;
    this.json = record.subarray(jsonStart(record));
  }

  get itemAt(): number {
    return this.record.readUInt32LE(32);
  }

  get mark(): string {
    return this.record.toString('latin1', HEADER, HEADER + this.record.readUInt16LE(2));
  }

  get labels(): string {
    const length = this.record.readUInt32LE(8);
    if (length === 0) return '';
    const start = HEADER + this.record.readUInt16LE(2);
    return this.record.toString('utf8', start, start + length);
  }

  get fields(): string {
    const length = this.record.readUInt32LE(12);
    if (length === 0) return '';
    const start = HEADER + this.record.readUInt16LE(2) + this.record.readUInt32LE(8);
    return this.record.toString('utf8', start, start + length);
  }

  get expiresAt(): number | undefined {
    return this.record[0] === 1 ? this.record.readDoubleLE(24) : undefined;
  }
}

function jsonStart(record: Buffer): number {
  return HEADER + record.readUInt16LE(2) + record.readUInt32LE(8) + record.readUInt32LE(12);
}

/** A draft as it lies in the file once it has been given a revision. */
export function recordOf(draft: Draft, revision: Revision): Buffer {
  const { json, revisionAt, expiresAt, mark, labels, fields } = draft;
  const digits = String(revision);
  const labelsLength = labels === '' ? 0 : Buffer.byteLength(labels);
  const fieldsLength = fields === '' ? 0 : Buffer.byteLength(fields);
  const record = Buffer.allocUnsafe(
    HEADER + mark.length + labelsLength + fieldsLength + json.length + digits.length,
  );
  record[0] = expiresAt === undefined ? 0 : 1;
  record[1] = digits.length;
  record.writeUInt16LE(mark.length, 2);
  record.writeUInt32LE(revisionAt, 4);
  record.writeUInt32LE(labelsLength, 8);
  record.writeUInt32LE(fieldsLength, 12);
  writeRevision(record, revision, 16);
  record.writeDoubleLE(expiresAt ?? 0, 24);
  record.writeUInt32LE(draft.itemAt, 32);
  let at = HEADER;
  at += record.write(mark, at, 'latin1');
  if (labelsLength > 0) at += record.write(labels, at, 'utf8');
  if (fieldsLength > 0) at += record.write(fields, at, 'utf8');
  at += json.copy(record, at, 0, revisionAt);
  at += record.write(digits, at, 'latin1');
  json.copy(record, at, revisionAt);
  return record;
}

/** Big-endian, so that the order of bytes is the order of revisions. */
export function writeRevision(target: Buffer, revision: Revision, at: number): void {
  target.writeUInt32BE(Math.floor(revision / 0x1_0000_0000), at);
  target.writeUInt32BE(revision % 0x1_0000_0000, at + 4);
}

export function readRevision(source: Buffer, at: number): Revision {
  return source.readUInt32BE(at) * 0x1_0000_0000 + source.readUInt32BE(at + 4);
}
