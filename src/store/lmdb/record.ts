/**
 * Binary format of a stored object: a header, the schema fingerprint, the strings that selectors need, then the JSON.
 * Draft in store.ts explains the terms (schema fingerprint, labels, selectable fields, list item).
 *
 * ```
 *  0  u8   flags: 1 if the object expires, 2 if the prefix length is present
 *  1  u8   number of digits of the revision in the JSON
 *  2  u16  length of the schema fingerprint
 *  4  u32  offset of the revision's digits in the JSON
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

/** Offsets of the fields of the header. */
const header = {
  flags: 0,
  revisionLength: 1,
  fingerprintLength: 2,
  revisionOffset: 4,
  labelsLength: 8,
  fieldsLength: 12,
  revision: 16,
  expiresAtMs: 24,
  listItemOffset: 32,
  prefixLength: 36,
} as const;
/** Length of the header, in the current format and in format 2. */
const HEADER_BYTES = 38;
const HEADER_BYTES_V2 = 36;

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
    this.revision = readRevision(record, header.revision);
    this.revisionOffset = record.readUInt32LE(header.revisionOffset);
    this.revisionLength = record[header.revisionLength]!;
    this.json = record.subarray(fieldsStart(record) + record.readUInt32LE(header.fieldsLength));
  }

  get listItemOffset(): number {
    return this.record.readUInt32LE(header.listItemOffset);
  }

  /** The resource prefix; undefined in records of format 2. */
  get prefix(): string | undefined {
    const { record, key } = this;
    return hasPrefix(record) ? key.slice(0, record.readUInt16LE(header.prefixLength)) : undefined;
  }

  get schemaFingerprint(): string {
    const { record } = this;
    return record.toString('latin1', fingerprintStart(record), labelsStart(record));
  }

  get labels(): string {
    const { record } = this;
    const length = record.readUInt32LE(header.labelsLength);
    if (length === 0) return '';
    const start = labelsStart(record);
    return record.toString('utf8', start, start + length);
  }

  get selectableFields(): string {
    const { record } = this;
    const length = record.readUInt32LE(header.fieldsLength);
    if (length === 0) return '';
    const start = fieldsStart(record);
    return record.toString('utf8', start, start + length);
  }

  get expiresAtMs(): number | undefined {
    const { record } = this;
    const expires = (record[header.flags]! & EXPIRES) !== 0;
    return expires ? record.readDoubleLE(header.expiresAtMs) : undefined;
  }
}

const hasPrefix = (record: Buffer) => (record[header.flags]! & HAS_PREFIX) !== 0;

/** Offsets of the parts after the header, whose lengths vary. */
const fingerprintStart = (record: Buffer) => (hasPrefix(record) ? HEADER_BYTES : HEADER_BYTES_V2);
const labelsStart = (record: Buffer) =>
  fingerprintStart(record) + record.readUInt16LE(header.fingerprintLength);
const fieldsStart = (record: Buffer) => labelsStart(record) + record.readUInt32LE(header.labelsLength);

/** Encodes a draft as a record, with the revision inserted into its JSON. */
export function encodeRecord(prefix: string, draft: Draft, revision: Revision): Buffer {
  const { json, revisionOffset, expiresAtMs, schemaFingerprint, labels, selectableFields } = draft;
  const digits = String(revision);
  const labelsLength = labels === '' ? 0 : Buffer.byteLength(labels);
  const fieldsLength = selectableFields === '' ? 0 : Buffer.byteLength(selectableFields);
  const record = Buffer.allocUnsafe(
    HEADER_BYTES + schemaFingerprint.length + labelsLength + fieldsLength + json.length + digits.length,
  );
  record[header.flags] = HAS_PREFIX | (expiresAtMs === undefined ? 0 : EXPIRES);
  record[header.revisionLength] = digits.length;
  record.writeUInt16LE(schemaFingerprint.length, header.fingerprintLength);
  record.writeUInt32LE(revisionOffset, header.revisionOffset);
  record.writeUInt32LE(labelsLength, header.labelsLength);
  record.writeUInt32LE(fieldsLength, header.fieldsLength);
  writeRevision(record, revision, header.revision);
  record.writeDoubleLE(expiresAtMs ?? 0, header.expiresAtMs);
  record.writeUInt32LE(draft.listItemOffset, header.listItemOffset);
  record.writeUInt16LE(prefix.length, header.prefixLength);
  let offset = HEADER_BYTES;
  offset += record.write(schemaFingerprint, offset, 'latin1');
  if (labelsLength > 0) offset += record.write(labels, offset, 'utf8');
  if (fieldsLength > 0) offset += record.write(selectableFields, offset, 'utf8');
  offset += json.copy(record, offset, 0, revisionOffset);
  offset += record.write(digits, offset, 'latin1');
  json.copy(record, offset, revisionOffset);
  return record;
}

/** Big-endian, so that byte order is revision order. */
export function writeRevision(target: Buffer, revision: Revision, offset: number): void {
  target.writeUInt32BE(Math.floor(revision / 0x1_0000_0000), offset);
  target.writeUInt32BE(revision % 0x1_0000_0000, offset + 4);
}

export function readRevision(source: Buffer, offset: number): Revision {
  return source.readUInt32BE(offset) * 0x1_0000_0000 + source.readUInt32BE(offset + 4);
}
