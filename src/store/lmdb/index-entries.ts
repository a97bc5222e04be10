/**
 * Entries of an index of labels or fields: index id (u16), hash of the value (8 bytes), then the object's key without its resource
 * prefix and slash.
 *
 * The hash keeps entries short whatever the length of the value; an entry is never longer than the longest key of the file. Different
 * values may have equal hashes, so that readers check the objects that they find.
 */
import type { Database } from 'lmdb';
import type { StoredObject } from '../store.ts';
import { pairValue } from '../stored-object.ts';
import type { IndexDefinition } from './index-catalogue.ts';

const HEAD_BYTES = 10;
/** lmdb has no entries without a value. */
const present = Buffer.from([1]);

type IndexTable = Database<Buffer, Buffer>;
type Indexed = Pick<StoredObject, 'labels' | 'selectableFields'>;

/** The value of an object in an index; undefined if it has no entry. */
export function indexedValue(
  { kind, name }: Pick<IndexDefinition, 'kind' | 'name'>,
  object: Indexed,
): string | undefined {
  // Selectors treat an absent field as empty, but not an absent label.
  return kind === 'label' ? pairValue(object.labels, name) : (pairValue(object.selectableFields, name) ?? '');
}

export function entryKey({ id, prefix }: IndexDefinition, value: string, key: string): Buffer {
  return entryBytes(id, value, key.slice(prefix.length + 1));
}

export function putEntry(table: IndexTable, entry: Buffer): void {
  void table.put(entry, present);
}

/** Updates the entries of a key for a change of its object. */
export function updateEntry(
  table: IndexTable,
  definition: IndexDefinition,
  key: string,
  before: Indexed | undefined,
  after: Indexed | undefined,
): void {
  const oldValue = before && indexedValue(definition, before);
  const newValue = after && indexedValue(definition, after);
  const isUnchanged = oldValue === newValue;
  // An index that is being built may have no entry yet, and its builder leaves changed objects out.
  if (isUnchanged && definition.phase === 'ready') return;
  if (oldValue !== undefined && !isUnchanged) void table.remove(entryKey(definition, oldValue, key));
  if (newValue !== undefined) putEntry(table, entryKey(definition, newValue, key));
}

export interface EntryRange {
  readonly start: Buffer;
  readonly exclusiveStart: boolean;
  readonly end: Buffer;
}

/** The entries of a value whose keys start with `keyPrefix`, from the first key > `after` on. */
export function entriesOf(
  { id, prefix }: IndexDefinition,
  value: string,
  keyPrefix: string,
  after: string,
): EntryRange {
  const lowest = entryBytes(id, value, keyPrefix.slice(prefix.length + 1));
  const afterBytes = entryBytes(id, value, after.slice(prefix.length + 1));
  const isInside = after !== '' && Buffer.compare(afterBytes, lowest) >= 0;
  return { start: isInside ? afterBytes : lowest, exclusiveStart: isInside, end: endOf(lowest) };
}

/** All entries of an index. */
export function entriesOfIndex({ id }: IndexDefinition): { readonly start: Buffer; readonly end: Buffer } {
  const start = Buffer.alloc(2);
  start.writeUInt16BE(id);
  return { start, end: endOf(start) };
}

export const idOfEntry = (entry: Buffer): number => entry.readUInt16BE(0);

/** The key of the object. */
export function keyOfEntry({ prefix }: IndexDefinition, entry: Buffer): string {
  return `${prefix}/${entry.toString('utf8', HEAD_BYTES)}`;
}

function entryBytes(id: number, value: string, relativeKey: string): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + Buffer.byteLength(relativeKey));
  bytes.writeUInt16BE(id, 0);
  writeHash(value, bytes, 2);
  bytes.write(relativeKey, HEAD_BYTES);
  return bytes;
}

/** Two hashes of 32 bits (FNV-1a, with a second multiplier and offset for the other one). */
function writeHash(value: string, target: Buffer, offset: number): void {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
  }
  target.writeUInt32BE(high >>> 0, offset);
  target.writeUInt32BE(low >>> 0, offset + 4);
}

/** The exclusive end of the range of entries that start with these bytes. */
function endOf(start: Buffer): Buffer {
  const end = Buffer.from(start);
  for (let i = end.length - 1; i >= 0; i--) {
    end[i] = (end[i]! + 1) & 0xff;
    if (end[i] !== 0) break;
  }
  return end;
}
