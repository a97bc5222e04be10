/** Encoding of the etcd API messages that are used, with the field numbers of its rpc.proto and kv.proto. */
import { WireReader } from '../../../codec/protobuf/wire-reader.ts';
import { WireWriter } from '../../../codec/protobuf/wire-writer.ts';
import type { Revision } from '../../store.ts';

interface ResponseHeader {
  /** Cluster id, as text because it has 64 bits. */
  readonly clusterId: string;
  readonly revision: Revision;
}

export interface KeyValue {
  readonly key: string;
  readonly modRevision: Revision;
  /** Number of writes since the key was created; 0 for a deleted key. */
  readonly version: number;
  readonly value: Buffer;
}

export interface RangeRequest {
  readonly key: string;
  /** Absent: the single key. */
  readonly end?: string;
  readonly limit?: number;
  /** Absent: the latest revision, read linearizably. */
  readonly revision?: Revision;
}

export interface RangeResponse {
  readonly header: ResponseHeader;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
}

/** A precondition on a key. */
type KeyPrecondition =
  | { readonly modRevision: Revision }
  | { readonly version: number }
  | { readonly value: Buffer }
  | 'exists';

/** A compare-and-swap of one key; if the precondition fails, the current value is returned. */
export interface TxnRequest {
  readonly key: string;
  readonly expect: KeyPrecondition | undefined;
  /** The value to put, or null to delete. */
  readonly value: Buffer | null;
  /** The marker: a second key that must already have this value, and is written too. */
  readonly marker?: { readonly key: string; readonly value: Buffer };
  /** A third key that must not have been written after a revision, and is written too. */
  readonly conflictScope?: { readonly key: string; readonly asOf: Revision; readonly value: Buffer };
  /** A range of keys to delete in the same transaction. */
  readonly deleteRange?: { readonly key: string; readonly end: string };
}

export interface TxnResponse {
  readonly header: ResponseHeader;
  readonly succeeded: boolean;
  /** If it failed: the current values of the key, of the marker and of the conflict scope. */
  readonly current: KeyValue | undefined;
  readonly marker: KeyValue | undefined;
  readonly conflictScope: KeyValue | undefined;
}

export interface WatchCreate {
  readonly key: string;
  readonly end: string;
  readonly from: Revision;
}

export interface WatchEvent {
  readonly isDeletion: boolean;
  readonly kv: KeyValue;
}

export interface WatchResponse {
  readonly header: ResponseHeader;
  readonly created: boolean;
  readonly canceled: boolean;
  /** Above 0 if the start revision of the watch has been compacted. */
  readonly compactRevision: Revision;
  readonly cancelReason: string;
  /** More events of the same revision follow in the next response. */
  readonly fragment: boolean;
  readonly events: readonly WatchEvent[];
}

export interface StatusResponse {
  readonly version: string;
  readonly bytes: number;
}

export function writeRange(request: RangeRequest): Buffer {
  const writer = new WireWriter(256);
  putRange(writer, request);
  return writer.finish();
}

export function readRange(bytes: Buffer): RangeResponse {
  let header = noHeader;
  let more = false;
  const kvs: KeyValue[] = [];
  eachField(bytes, {
    1: (reader) => (header = readHeader(reader.bytes())),
    2: (reader) => kvs.push(readKeyValue(reader.bytes())),
    3: (reader) => (more = reader.varint() !== 0n),
  });
  return { header, kvs, more };
}

const compareEqual = 0;
const compareGreater = 1;
const compareLess = 2;
const compareVersion = 0;
const compareModRevision = 2;
const compareValue = 3;

export function writeTxn({ key, expect, value, marker, conflictScope, deleteRange }: TxnRequest): Buffer {
  const writer = new WireWriter(512 + (value?.length ?? 0));
  // WireWriter writes backwards, so fields are in reverse order. Operations on failure:
  if (conflictScope) putOperation(writer, 3, 1, () => putRange(writer, { key: conflictScope.key }));
  if (marker) putOperation(writer, 3, 1, () => putRange(writer, { key: marker.key }));
  putOperation(writer, 3, 1, () => putRange(writer, { key }));
  // Operations on success:
  if (deleteRange) putOperation(writer, 2, 3, () => putRange(writer, deleteRange));
  if (conflictScope) putOperation(writer, 2, 2, () => putPut(writer, conflictScope.key, conflictScope.value));
  if (marker) putOperation(writer, 2, 2, () => putPut(writer, marker.key, marker.value));
  if (value) putOperation(writer, 2, 2, () => putPut(writer, key, value));
  else putOperation(writer, 2, 3, () => putText(writer, 1, key));
  if (conflictScope)
    putComparison(writer, conflictScope.key, compareModRevision, compareLess, conflictScope.asOf + 1);
  if (marker) putComparison(writer, marker.key, compareValue, compareEqual, marker.value);
  if (expect === 'exists') putComparison(writer, key, compareVersion, compareGreater, 0);
  else if (expect && 'version' in expect)
    putComparison(writer, key, compareVersion, compareEqual, expect.version);
  else if (expect && 'value' in expect) putComparison(writer, key, compareValue, compareEqual, expect.value);
  else if (expect) putComparison(writer, key, compareModRevision, compareEqual, expect.modRevision);
  return writer.finish();
}

function putComparison(
  writer: WireWriter,
  key: string,
  target: number,
  result: number,
  value: number | Buffer,
): void {
  const before = writer.length;
  // The field number of the operand: version 4, mod_revision 6, value 7.
  if (typeof value === 'number') putNumber(writer, target + 4, value);
  else putBytes(writer, target + 4, value);
  putText(writer, 3, key);
  putNumber(writer, 2, target);
  putNumber(writer, 1, result);
  writer.delimit(1, before);
}

export function readTxn(bytes: Buffer): TxnResponse {
  let header = noHeader;
  let succeeded = false;
  const found: (KeyValue | undefined)[] = [];
  eachField(bytes, {
    1: (reader) => (header = readHeader(reader.bytes())),
    2: (reader) => (succeeded = reader.varint() !== 0n),
    3: (reader) => eachField(reader.bytes(), { 1: (range) => found.push(readRange(range.bytes()).kvs[0]) }),
  });
  return { header, succeeded, current: found[0], marker: found[1], conflictScope: found[2] };
}

export function writeCompaction(revision: Revision): Buffer {
  const writer = new WireWriter(16);
  putNumber(writer, 1, revision);
  return writer.finish();
}

export function writeWatchCreate({ key, end, from }: WatchCreate): Buffer {
  const writer = new WireWriter(256);
  const before = writer.length;
  putNumber(writer, 8, 1); // fragment: splits responses that exceed the message size limit
  putNumber(writer, 3, from);
  putText(writer, 2, end);
  putText(writer, 1, key);
  writer.delimit(1, before);
  return writer.finish();
}

export function readWatch(bytes: Buffer): WatchResponse {
  const response = {
    header: noHeader,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    fragment: false,
  };
  const events: WatchEvent[] = [];
  eachField(bytes, {
    1: (reader) => (response.header = readHeader(reader.bytes())),
    3: (reader) => (response.created = reader.varint() !== 0n),
    4: (reader) => (response.canceled = reader.varint() !== 0n),
    5: (reader) => (response.compactRevision = Number(reader.varint())),
    6: (reader) => (response.cancelReason = reader.string()),
    7: (reader) => (response.fragment = reader.varint() !== 0n),
    11: (reader) => events.push(readEvent(reader.bytes())),
  });
  return { ...response, events };
}

export function readStatus(bytes: Buffer): StatusResponse {
  let version = '';
  let size = 0;
  eachField(bytes, {
    2: (reader) => (version = reader.string()),
    3: (reader) => (size = Number(reader.varint())),
  });
  return { version, bytes: size };
}

const noHeader: ResponseHeader = { clusterId: '', revision: 0 };

function readHeader(bytes: Buffer): ResponseHeader {
  let clusterId = '';
  let revision = 0;
  eachField(bytes, {
    1: (reader) => (clusterId = reader.varint().toString(16)),
    3: (reader) => (revision = Number(reader.varint())),
  });
  return { clusterId, revision };
}

function readKeyValue(bytes: Buffer): KeyValue {
  let key = '';
  let modRevision = 0;
  let version = 0;
  let value: Buffer = empty;
  eachField(bytes, {
    1: (reader) => (key = reader.bytes().toString('utf8')),
    3: (reader) => (modRevision = Number(reader.varint())),
    4: (reader) => (version = Number(reader.varint())),
    5: (reader) => (value = reader.bytes()),
  });
  return { key, modRevision, version, value };
}

const empty = Buffer.alloc(0);
const noKeyValue: KeyValue = { key: '', modRevision: 0, version: 0, value: empty };

function readEvent(bytes: Buffer): WatchEvent {
  let isDeletion = false;
  let kv = noKeyValue;
  eachField(bytes, {
    1: (reader) => (isDeletion = reader.varint() === 1n),
    2: (reader) => (kv = readKeyValue(reader.bytes())),
  });
  return { isDeletion, kv };
}

type FieldReaders = Readonly<Record<number, (reader: WireReader) => unknown>>;

/** Dispatches each field by its number and skips unknown ones. */
function eachField(bytes: Buffer, readers: FieldReaders): void {
  const reader = new WireReader(bytes, 'etcd');
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    const read = readers[number];
    if (read) read(reader);
    else reader.skip(wireType);
  }
}

function putRange(writer: WireWriter, { key, end, limit, revision }: RangeRequest): void {
  if (revision !== undefined) putNumber(writer, 4, revision);
  if (limit !== undefined) putNumber(writer, 3, limit);
  if (end !== undefined) putText(writer, 2, end);
  putText(writer, 1, key);
}

function putPut(writer: WireWriter, key: string, value: Buffer): void {
  putBytes(writer, 2, value);
  putText(writer, 1, key);
}

/** A RequestOp: `list` is the field (success or failure) that contains it, `sort` the field of its type. */
function putOperation(writer: WireWriter, branchField: number, typeField: number, write: () => void): void {
  const before = writer.length;
  write();
  writer.delimit(typeField, before);
  writer.delimit(branchField, before);
}

function putNumber(writer: WireWriter, number: number, value: number): void {
  writer.varint(value);
  writer.tag(number, 0);
}

function putText(writer: WireWriter, number: number, text: string): void {
  const before = writer.length;
  writer.text(text);
  writer.delimit(number, before);
}

function putBytes(writer: WireWriter, number: number, bytes: Buffer): void {
  const before = writer.length;
  writer.bytes(bytes);
  writer.delimit(number, before);
}
