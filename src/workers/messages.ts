// The messages between the serving thread (the main thread, which handles requests) and worker threads. Small fields are
// copied (structured clone); all bytes of a message are in one ArrayBuffer, which is transferred without a copy.
import type { Dialect } from '../dialect/dialect.ts';
import { ApiError, type StatusDetails, type StatusReason } from '../errors/status.ts';
import type { ObjectMetadata } from '../kind/api-object.ts';
import type { DefinitionState } from '../kind/definition.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import type { RenderedCustomResource } from '../openapi/builder/custom/render.ts';
import type { WriteOptions } from '../registry/options/write-options.ts';
import type { Target } from '../registry/target.ts';
import type { EncodedInput, PreparedWrite, WriteRequest } from '../registry/write/context.ts';
import { type BodyFormat, bodyInFormat } from '../serializers/request-body.ts';
import type { TransferredKind, Wrapping } from '../serializers/serializer.ts';
import type { StoredObject } from '../store/store.ts';
import type { SnapshotObjects } from './snapshot-store.ts';

/** Task: run the write pipeline up to the commit. */
export interface PrepareMessage {
  readonly target: TransferredTarget;
  readonly options: WriteOptions;
  readonly verb: EncodedInput['verb'];
  /** The media type of a patch or apply, or the format of an object. */
  readonly type: string;
  /** Wall-clock time of the serving thread. */
  readonly now: number;
  /** Length of the request body, with which `bytes` starts. */
  readonly sourceLength: number;
  /** The CustomResourceDefinition of a custom resource. */
  readonly definition: TransferredObject | undefined;
  /** The other objects of the snapshot. */
  readonly objects: readonly TransferredObject[];
  /** No object exists with this key prefix, except for `objects`. */
  readonly absentPrefix: string | undefined;
  /** The worker runs admission plugins, guards and reservations, and may ask the serving thread for what they need. */
  readonly mayAsk: boolean;
  /** The request body, then the JSON of the definition and of each object. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The stored objects that a worker needs to prepare a write. */
export interface WriteSnapshot {
  readonly definition: StoredObject | undefined;
  readonly objects: readonly StoredObject[];
  readonly absentPrefix: string | undefined;
}

interface TransferredTarget extends Omit<Target, 'resource'> {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** A stored object without its JSON, of which it has the length. The JSON is in the bytes of the message. */
type TransferredObject = Omit<StoredObject, 'json'> & { readonly length: number };

/** The result of a task. */
export type Outcome =
  /** The serving thread validates and commits this. */
  | ({
      readonly is: 'prepared';
      readonly created: boolean;
      readonly prepared: PreparedWrite;
    } & WriteReport)
  | ({ readonly is: 'rejected'; readonly error: TransferredError } & WriteReport)
  /** The object, encoded in the requested media type, or the JSON of its Table row. */
  | { readonly is: 'encoded'; readonly bytes: Uint8Array }
  /** The OpenAPI paths and schemas of a custom resource. */
  | { readonly is: 'rendered'; readonly texts: RenderedCustomResource }
  /** The worker cannot run the task: the serving thread has to. */
  | { readonly is: 'notOffloadable' };

/** What a worker reports of a write beside its result. */
interface WriteReport {
  readonly warnings: readonly string[];
  readonly auditAnnotations: readonly (readonly [key: string, value: string])[];
  readonly requestMetadata: RequestMetadata | undefined;
}

export interface TransferredError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details: object | undefined;
}

/** Undefined for subclasses of ApiError and other errors, which a message cannot carry. */
export function toTransferredError(error: unknown): TransferredError | undefined {
  if (!(error instanceof ApiError) || error.constructor !== ApiError) return undefined;
  const { code, reason, message, details } = error;
  return { code, reason, message, details };
}

export function toApiError({ code, reason, message, details }: TransferredError): ApiError {
  return new ApiError(code, reason as StatusReason, message, details as StatusDetails | undefined);
}

/** A task with the id of its outcome. */
export interface TaskMessage {
  readonly id: number;
  readonly task: Task;
}

export type Task = PrepareMessage | EncodeMessage | RenderStoredMessage | OpenApiMessage;

/** Task: render a stored object. The outcome is the JSON of its Table row (a RowTemplate), or of the object in a version. */
export interface RenderStoredMessage {
  readonly renders: 'tableRow' | 'json';
  readonly version: { readonly group: string; readonly version: string; readonly plural: string };
  readonly key: string;
  readonly schemaFingerprint: string;
  /** The CustomResourceDefinition of a custom resource. */
  readonly definition: Omit<DefinitionState, 'json'> | undefined;
  /** Length of the stored JSON of the object, with which `bytes` starts. The JSON of the definition follows. */
  readonly objectLength: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Task: encode an object in another media type than JSON. */
export interface EncodeMessage {
  readonly mediaType: string;
  readonly kind: TransferredKind;
  readonly wrapping: Wrapping | undefined;
  /** The JSON of the object. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Task: render the OpenAPI paths and schemas of a custom resource. */
export interface OpenApiMessage {
  readonly resource: { readonly group: string; readonly version: string; readonly plural: string };
  readonly openApi: 2 | 3;
  readonly format: 'json' | 'protobuf';
  /** The CustomResourceDefinition; `bytes` is its JSON. */
  readonly definition: Omit<DefinitionState, 'json'>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The outcome of the task with this id. */
export interface OutcomeMessage {
  readonly id: number;
  readonly outcome: Outcome;
}

/** A message of a worker thread: it has started, or has outcomes of tasks. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'outcomes'; readonly outcomes: readonly OutcomeMessage[] };

/** The metadata of the decoded request object that the write's observer needs. */
export type RequestMetadata = Pick<ObjectMetadata, 'name' | 'namespace' | 'uid' | 'resourceVersion'>;

/** Packs a write and its snapshot into one message. The body and all JSON are copied into one buffer. */
export function packWrite(
  { target, options, input }: WriteRequest<EncodedInput>,
  { definition, objects: dependencies, absentPrefix }: WriteSnapshot,
  { now, mayAsk }: Pick<PrepareMessage, 'now' | 'mayAsk'>,
): PrepareMessage {
  const { resource, namespace, name, subresource } = target;
  const { user, fieldValidation, manager, force, dryRun } = options;
  const source = sourceOf(input);
  const objects = definition ? [definition, ...dependencies] : dependencies;
  let length = source.length;
  for (const { json } of objects) length += json.length;
  const bytes = new Uint8Array(length);
  bytes.set(source);
  let offset = source.length;
  for (const { json } of objects) {
    bytes.set(json, offset);
    offset += json.length;
  }
  return {
    target: {
      group: resource.group,
      version: resource.version,
      plural: resource.definition.plural,
      namespace,
      name,
      subresource,
    },
    options: {
      dryRun,
      fieldValidation,
      ...(user && { user }),
      ...(manager !== undefined && { manager }),
      ...(force && { force }),
    },
    verb: input.verb,
    type: 'body' in input ? input.body.format! : input.type,
    now,
    sourceLength: source.length,
    definition: definition && withoutJson(definition),
    objects: dependencies.map(withoutJson),
    absentPrefix,
    mayAsk,
    bytes,
  };
}

/** Copies the properties one by one, because some of them are getters. */
export function withoutJson(stored: StoredObject): TransferredObject {
  return {
    key: stored.key,
    revision: stored.revision,
    revisionOffset: stored.revisionOffset,
    revisionLength: stored.revisionLength,
    listItemOffset: stored.listItemOffset,
    schemaFingerprint: stored.schemaFingerprint,
    labels: stored.labels,
    selectableFields: stored.selectableFields,
    length: stored.json.length,
  };
}

/** The bytes of the request body. */
export function sourceOf(input: EncodedInput): Buffer {
  return 'body' in input ? input.body.source : input.source;
}

/** The CustomResourceDefinition of the message. */
export function unpackDefinition(message: PrepareMessage): StoredObject | undefined {
  const { definition, sourceLength } = message;
  return definition && withJsonAt(definition, message, sourceLength);
}

/** The write request of the message; undefined if this thread has no such resource. */
export function unpackRequest(
  registry: Registry,
  { protobufMagic }: Dialect,
  message: PrepareMessage,
): WriteRequest<EncodedInput> | undefined {
  const { target, options, verb, type, bytes, sourceLength } = message;
  const { group, version, plural, ...objectTarget } = target;
  const resource = registry.find(group, version, plural);
  if (!resource) return undefined;
  const source = Buffer.from(bytes.buffer, 0, sourceLength);
  const input =
    verb === 'patch' || verb === 'apply'
      ? { verb, type, source }
      : { verb, body: bodyInFormat(type as BodyFormat, source, expectedKind(resource), protobufMagic) };
  return { target: { resource, ...objectTarget }, options, input: input as EncodedInput };
}

const expectedKind = ({ apiVersion, kind, definition }: ServedResource) => {
  return { apiVersion, kind, schema: definition.schema };
};

/** The snapshot of the message, without the definition. */
export function unpackSnapshot(message: PrepareMessage): SnapshotObjects {
  const { definition, objects: transferred, absentPrefix: absent, sourceLength } = message;
  const objects = new Map<string, StoredObject>();
  let offset = sourceLength + (definition?.length ?? 0);
  for (const object of transferred) {
    objects.set(object.key, withJsonAt(object, message, offset));
    offset += object.length;
  }
  return { objects, absentPrefix: absent };
}

function withJsonAt(
  { length, ...properties }: TransferredObject,
  { bytes }: PrepareMessage,
  offset: number,
): StoredObject {
  return { ...properties, json: Buffer.from(bytes.buffer, offset, length) };
}

/** The ArrayBuffer to transfer instead of copying it; none if the bytes are only a part of it. */
export function transferable(bytes: Uint8Array): ArrayBuffer[] {
  return bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : [];
}

/** The outcome and its buffers to transfer. Small Buffers share Node's pool, which cannot be transferred: they are copied. */
export function prepareTransfer(outcome: Outcome): { outcome: Outcome; transfer: ArrayBuffer[] } {
  if (outcome.is === 'prepared') {
    const prepared = mapJson(outcome.prepared, withOwnBuffer);
    const json = jsonIn(prepared);
    return { outcome: { ...outcome, prepared }, transfer: json ? transferable(json) : [] };
  }
  if (outcome.is === 'rendered') {
    const paths = withOwnBuffer(outcome.texts.paths);
    const schemas = withOwnBuffer(outcome.texts.schemas);
    const texts = { ...outcome.texts, paths, schemas };
    return { outcome: { ...outcome, texts }, transfer: [paths, schemas].flatMap(transferable) };
  }
  if (outcome.is === 'encoded') {
    const bytes = withOwnBuffer(outcome.bytes);
    return { outcome: { ...outcome, bytes }, transfer: transferable(bytes) };
  }
  return { outcome, transfer: [] };
}

const withOwnBuffer = (bytes: Uint8Array) =>
  bytes.byteLength === bytes.buffer.byteLength
    ? Buffer.from(bytes.buffer)
    : Buffer.from(new Uint8Array(bytes).buffer);

/** A transferred Buffer arrives as a Uint8Array. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A prepared write with its bytes as a buffer. */
export const withBuffers = (prepared: PreparedWrite): PreparedWrite => mapJson(prepared, asBuffer);

/** A prepared write with its object's JSON replaced by `map(json)`. */
function mapJson(prepared: PreparedWrite, map: (json: Buffer) => Buffer): PreparedWrite {
  if (prepared.is === 'dryRun') {
    return { ...prepared, object: { ...prepared.object, json: map(prepared.object.json) } };
  }
  if (prepared.is === 'delete') {
    return { ...prepared, last: { ...prepared.last, json: map(prepared.last.json) } };
  }
  if (prepared.is !== 'write' || !prepared.write.draft) return prepared;
  const { write } = prepared;
  const { draft } = prepared.write;
  return { ...prepared, write: { ...write, draft: { ...draft, json: map(draft.json) } } };
}

function jsonIn(prepared: PreparedWrite): Buffer | undefined {
  if (prepared.is === 'dryRun') return prepared.object.json;
  if (prepared.is === 'delete') return prepared.last.json;
  return prepared.is === 'write' ? prepared.write.draft?.json : undefined;
}
