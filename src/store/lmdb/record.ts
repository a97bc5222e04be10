/**
 * Binary format of a stored object: a header, the schema fingerprint, the strings that selectors need, then the JSON.
 * Draft in store.ts explains the terms (schema fingerprint, labels, selectable fields, list item).
 *
 * ```
 *  0  u8   flags: 1 if the object expires, 2 if the prefix length is present
 *  1  u8   number of digits of the revision in the JSON
 *  2  u16  length of the schema fingerprint
 *  4  u32  offset of these digits in the JSON
 *  8  u32  length of the labels
 * 12  u32  length of the fields
 * 16  u64  revision
 * 24  f64  expiry, in milliseconds since the epoch; 0 if none
 * 32  u32  offset of the list item in the JSON
 * 36  u16  length of the resource prefix in the key; absent in records of format 2
 *     schema fingerprint, labels, fields, JSON
 * ```
 */
import type { Draft, Revision, StoredObject } from '../store.ts';

/** Flags. */
const EXPIRES = 1;
const HAS_PREFIX = 2;
/** Bytes of the header without the prefix length, and of the prefix length. */
const HEADER = 36;
const PREFIX_LENGTH = 2;

/**
 * A stored object backed by its record. The strings beside the JSON are decoded on access, since most readers never
 * need them.
 */
export class StoredRecord implements StoredObject {
  readonly key: string;
  readonly record: Buffer;
  readonly revision: Revision;
  readonly json: Buffer;
  readonly revisionOffset: number;
  readonly revisionLength: number;

  constructor(key: string, record: Buffer) {
    this.key = key;
    this.record = record;
    this.revision = readRevision(record, 16);
    this.revisionOffset = record.readUInt32LE(4);
    this.revisionLength = record[1]!;
    this.json = record.subarray(jsonStart(record));
  }

  get listItemOffset(): number {
    return this.record.readUInt32LE(32);
  }

  /** The resource prefix; undefined in records of format 2. */
  get prefix(): string | undefined {
    const { record, key } = this;
    return hasPrefix(record) ? key.slice(0, record.readUInt16LE(HEADER)) : undefined;
  }

  get schemaFingerprint(): string {
    const start = markStart(this.record);
    return this.record.toString('latin1', start, start + this.record.readUInt16LE(2));
  }

  get labels(): string {
    const length = this.record.readUInt32LE(8);
    if (length === 0) return '';
    const start = markStart(this.record) + this.record.readUInt16LE(2);
    return this.record.toString('utf8', start, start + length);
  }

  get selectableFields(): string {
    const length = this.record.readUInt32LE(12);
    if (length === 0) return '';
    const start = markStart(this.record) + this.record.readUInt16LE(2) + this.record.readUInt32LE(8);
    return this.record.toString('utf8', start, start + length);
  }

  get expiresAtMs(): number | undefined {
    return (this.record[0]! & EXPIRES) === 0 ? undefined : this.record.readDoubleLE(24);
  }
}

const hasPrefix = (record: Buffer) => (record[0]! & HAS_PREFIX) !== 0;
const markStart = (record: Buffer) => (hasPrefix(record) ? HEADER + PREFIX_LENGTH : HEADER);

function jsonStart(record: Buffer): number {
  return markStart(record) + record.readUInt16LE(2) + record.readUInt32LE(8) + record.readUInt32LE(12);
}

/** Encodes a draft as a record with the given revision. */
export function encodeRecord(prefix: string, draft: Draft, revision: Revision): Buffer {
  const { json, revisionOffset, expiresAtMs, schemaFingerprint, labels, selectableFields } = draft;
  const digits = String(revision);
  const labelsLength = labels === '' ? 0 : Buffer.byteLength(labels);
  const fieldsLength = selectableFields === '' ? 0 : Buffer.byteLength(selectableFields);
  const record = Buffer.allocUnsafe(
    HEADER +
      PREFIX_LENGTH +
      schemaFingerprint.length +
      labelsLength +
      fieldsLength +
      json.length +
      digits.length,
  );
  record[0] = HAS_PREFIX | (expiresAtMs === undefined ? 0 : EXPIRES);
  record[1] = digits.length;
  record.writeUInt16LE(schemaFingerprint.length, 2);
  record.writeUInt32LE(revisionOffset, 4);
  record.writeUInt32LE(labelsLength, 8);
  record.writeUInt32LE(fieldsLength, 12);
  writeRevision(record, revision, 16);
  record.writeDoubleLE(expiresAtMs ?? 0, 24);
  record.writeUInt32LE(draft.listItemOffset, 32);
  record.writeUInt16LE(prefix.length, HEADER);
  let at = HEADER + PREFIX_LENGTH;
  at += record.write(schemaFingerprint, at, 'latin1');
  if (labelsLength > 0) at += record.write(labels, at, 'utf8');
  if (fieldsLength > 0) at += record.write(selectableFields, at, 'utf8');
  at += json.copy(record, at, 0, revisionOffset);
  at += record.write(digits, at, 'latin1');
  json.copy(record, at, revisionOffset);
  return record;
}

/** Big-endian, so that byte order is revision order. */
export function writeRevision(target: Buffer, revision: Revision, at: number): void {
  target.writeUInt32BE(Math.floor(revision / 0x1_0000_0000), at);
  target.writeUInt32BE(revision % 0x1_0000_0000, at + 4);
}

export function readRevision(source: Buffer, at: number): Revision {
  return source.readUInt32BE(at) * 0x1_0000_0000 + source.readUInt32BE(at + 4);
}
