/**
 * Protobuf encoding of the messages of the etcd v3 API that the store uses. The numbers are the field numbers of etcd's
 * rpc.proto and kv.proto. Revisions are those of etcd, which `Marker.toEtcdRevision` converts to. WireWriter writes
 * backwards: the functions that write a message start with its last field.
 */
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

/**
 * A compare-and-swap of one key, and of the keys that are written with it. If a precondition fails, nothing is written
 * and the current values are returned.
 */
export interface TxnRequest {
  readonly key: string;
  readonly expect: KeyPrecondition | undefined;
  /** The value to put, or null to delete. */
  readonly value: Buffer | null;
  /**
   * The marker (../marker.ts): a second key that must already have this value, and is put again, so that its
   * mod_revision is that of the last write under this prefix.
   */
  readonly marker?: { readonly key: string; readonly value: Buffer };
  /**
   * The key of a ConflictScope (store.ts), such as the pool of cluster IPs: it must not have been written after the
   * revision `asOf`, and is written too. Only together with a marker.
   */
  readonly conflictScope?: { readonly key: string; readonly asOf: Revision; readonly value: Buffer };
  /**
   * The key of a Fence (store.ts): it must have this mod_revision, or is written too. Only together with a marker.
   */
  readonly fence?: { readonly key: string } & (
    | { readonly modRevision: Revision }
    | { readonly value: Buffer }
  );
  /** A range of keys to delete in the same transaction. */
  readonly deleteRange?: { readonly key: string; readonly end: string };
}

export interface TxnResponse {
  readonly header: ResponseHeader;
  readonly succeeded: boolean;
  /** If it failed: the current values of the key, and of those of the request that it names. */
  readonly current: KeyValue | undefined;
  readonly marker: KeyValue | undefined;
  readonly conflictScope: KeyValue | undefined;
  readonly fence: KeyValue | undefined;
}

export interface WatchCreate {
  readonly key: string;
  readonly end: string;
  /** The first revision to deliver. */
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
  /** The response was split: more events of the same revision follow in the next one. */
  readonly fragment: boolean;
  readonly events: readonly WatchEvent[];
}

export interface StatusResponse {
  readonly version: string;
  /** Size of the database. */
  readonly bytes: number;
}

export function writeRange(request: RangeRequest): Buffer {
  const writer = new WireWriter(256);
  writeRangeFields(writer, request);
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

// Compare.CompareResult
const compareEqual = 0;
const compareGreater = 1;
const compareLess = 2;
// Compare.CompareTarget
const compareVersion = 0;
const compareModRevision = 2;
const compareValue = 3;
// Fields of TxnRequest
const onSuccess = 2;
const onFailure = 3;
// Fields of RequestOp
const rangeOperation = 1;
const putOperation = 2;
const deleteRangeOperation = 3;

export function writeTxn(request: TxnRequest): Buffer {
  const { key, expect, value, marker, conflictScope, fence, deleteRange } = request;
  const writer = new WireWriter(512 + (value?.length ?? 0));
  // Operations on failure:
  const readOnFailure = (readKey: string) =>
    writeOperation(writer, onFailure, rangeOperation, () => writeRangeFields(writer, { key: readKey }));
  if (fence) readOnFailure(fence.key);
  if (conflictScope) readOnFailure(conflictScope.key);
  if (marker) readOnFailure(marker.key);
  readOnFailure(key);
  // Operations on success:
  const putOnSuccess = (putKey: string, putValue: Buffer) =>
    writeOperation(writer, onSuccess, putOperation, () => writePutFields(writer, putKey, putValue));
  const deleteOnSuccess = (range: RangeRequest) =>
    writeOperation(writer, onSuccess, deleteRangeOperation, () => writeRangeFields(writer, range));
  if (deleteRange) deleteOnSuccess(deleteRange);
  if (fence && 'value' in fence) putOnSuccess(fence.key, fence.value);
  if (conflictScope) putOnSuccess(conflictScope.key, conflictScope.value);
  if (marker) putOnSuccess(marker.key, marker.value);
  if (value) putOnSuccess(key, value);
  else deleteOnSuccess({ key });
  // Preconditions:
  if (fence && 'modRevision' in fence)
    writeComparison(writer, fence.key, compareModRevision, compareEqual, fence.modRevision);
  if (conflictScope)
    writeComparison(writer, conflictScope.key, compareModRevision, compareLess, conflictScope.asOf + 1);
  if (marker) writeComparison(writer, marker.key, compareValue, compareEqual, marker.value);
  if (expect === 'exists') writeComparison(writer, key, compareVersion, compareGreater, 0);
  else if (expect && 'version' in expect)
    writeComparison(writer, key, compareVersion, compareEqual, expect.version);
  else if (expect && 'value' in expect)
    writeComparison(writer, key, compareValue, compareEqual, expect.value);
  else if (expect) writeComparison(writer, key, compareModRevision, compareEqual, expect.modRevision);
  return writer.finish();
}

/** Writes an element of TxnRequest.compare (field 1). */
function writeComparison(
  writer: WireWriter,
  key: string,
  target: number,
  result: number,
  value: number | Buffer,
): void {
  const end = writer.length;
  // The field number of the operand is the target plus 4: version 4, mod_revision 6, value 7.
  if (typeof value === 'number') writeNumber(writer, target + 4, value);
  else writeBytes(writer, target + 4, value);
  writeText(writer, 3, key);
  writeNumber(writer, 2, target);
  writeNumber(writer, 1, result);
  writer.delimit(1, end);
}

export function readTxn(
  bytes: Buffer,
  request: Pick<TxnRequest, 'marker' | 'conflictScope' | 'fence'>,
): TxnResponse {
  let header = noHeader;
  let succeeded = false;
  /** The results of the reads on failure, in the order of the request. */
  const read: (KeyValue | undefined)[] = [];
  eachField(bytes, {
    1: (reader) => (header = readHeader(reader.bytes())),
    2: (reader) => (succeeded = reader.varint() !== 0n),
    // responses: only the reads on failure have a response_range (1).
    3: (reader) => eachField(reader.bytes(), { 1: (range) => read.push(readRange(range.bytes()).kvs[0]) }),
  });
  const current = read.shift();
  const marker = request.marker && read.shift();
  const conflictScope = request.conflictScope && read.shift();
  const fence = request.fence && read.shift();
  return { header, succeeded, current, marker, conflictScope, fence };
}

export function writeCompaction(revision: Revision): Buffer {
  const writer = new WireWriter(16);
  writeNumber(writer, 1, revision);
  return writer.finish();
}

export function writeWatchCreate({ key, end: rangeEnd, from }: WatchCreate): Buffer {
  const writer = new WireWriter(256);
  const end = writer.length;
  writeNumber(writer, 8, 1); // fragment: splits responses that exceed the message size limit
  writeNumber(writer, 3, from);
  writeText(writer, 2, rangeEnd);
  writeText(writer, 1, key);
  writer.delimit(1, end);
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

/** The defaults of absent fields. */
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
    const readField = readers[number];
    if (readField) readField(reader);
    else reader.skip(wireType);
  }
}

/** The fields of a RangeRequest; the first two are also those of a DeleteRangeRequest. */
function writeRangeFields(writer: WireWriter, { key, end, limit, revision }: RangeRequest): void {
  if (revision !== undefined) writeNumber(writer, 4, revision);
  if (limit !== undefined) writeNumber(writer, 3, limit);
  if (end !== undefined) writeText(writer, 2, end);
  writeText(writer, 1, key);
}

function writePutFields(writer: WireWriter, key: string, value: Buffer): void {
  writeBytes(writer, 2, value);
  writeText(writer, 1, key);
}

/**
 * A RequestOp: `branchField` is the field (success or failure) of the TxnRequest that contains it, `operationField` the
 * field of the operation in it.
 */
function writeOperation(
  writer: WireWriter,
  branchField: number,
  operationField: number,
  writeFields: () => void,
): void {
  const end = writer.length;
  writeFields();
  writer.delimit(operationField, end);
  writer.delimit(branchField, end);
}

function writeNumber(writer: WireWriter, number: number, value: number): void {
  writer.varint(value);
  writer.tag(number, 0);
}

function writeText(writer: WireWriter, number: number, text: string): void {
  const end = writer.length;
  writer.text(text);
  writer.delimit(number, end);
}

function writeBytes(writer: WireWriter, number: number, bytes: Buffer): void {
  const end = writer.length;
  writer.bytes(bytes);
  writer.delimit(number, end);
}
