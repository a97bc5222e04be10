/**
 * What goes between the serving thread and those that work writes out: small objects that are copied, and beside them
 * all bytes in one piece of memory that changes hands without being copied.
 */
import type { Dialect } from '../dialect/dialect.ts';
import type { ObjectMetadata } from '../kind/api-object.ts';
import type { DefinitionState } from '../kind/definition.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import type { RenderedCustomResource } from '../openapi/builder/custom/render.ts';
import type { WriteOptions } from '../registry/options/write-options.ts';
import type { Target } from '../registry/target.ts';
import type { EncodedInput, PreparedWrite, WriteRequest } from '../registry/write/context.ts';
import { type BodyFormat, bodyInFormat } from '../serializers/request-body.ts';
import type { ItemNumbers, TransferredKind } from '../serializers/serializer.ts';
import type { StoredObject } from '../store/store.ts';
import type { SnapshotObjects } from './snapshot-store.ts';

/** Task: prepare a write. */
export interface PrepareMessage {
  readonly place: SentTarget;
  readonly options: WriteOptions;
  readonly verb: EncodedInput['verb'];
  /** The type of a patch or apply, or the form of an object. */
  readonly type: string;
  /** Wall-clock time of the serving thread. */
  readonly now: number;
  readonly sourceLength: number;
  /** The definition of a kind that the server has learnt. */
  readonly definition: SentObject | undefined;
  readonly known: readonly SentObject[];
  /** No object whose key begins so is there, but for those that are known. */
  readonly absent: string | undefined;
  /** What the client sent, then the JSON of the definition and of each known object. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a write takes to be worked out, beside what was sent. */
export interface WriteSnapshot {
  readonly definition: StoredObject | undefined;
  readonly known: readonly StoredObject[];
  readonly absent: string | undefined;
}

interface SentTarget extends Omit<Target, 'resource'> {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

type SentObject = Omit<StoredObject, 'json'> & { readonly length: number };

/** The result of a task. */
export type Outcome =
  /** The serving thread validates and commits this. */
  | {
      readonly is: 'prepared';
      readonly created: boolean;
      readonly prepared: PreparedWrite;
      readonly warnings: readonly string[];
      readonly brought: RequestMetadata | undefined;
    }
  | {
      readonly is: 'refused';
      readonly error: SentError;
      readonly warnings: readonly string[];
      readonly brought: RequestMetadata | undefined;
    }
  /** What was to be written down, in the form that it was asked for in. */
  | { readonly is: 'written'; readonly bytes: Uint8Array }
  /** What OpenAPI says of a kind. */
  | { readonly is: 'published'; readonly texts: RenderedCustomResource }
  /** The worker cannot run the task: the serving thread has to. */
  | { readonly is: 'beyond' };

export interface SentError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details: object | undefined;
}

/** A task with the id of its outcome. */
export interface TaskMessage {
  readonly id: number;
  readonly asked: Task;
}

export type Task = PrepareMessage | EncodeMessage | OpenApiMessage;

/** Task: encode an object in another media type than JSON. */
export interface EncodeMessage {
  readonly form: string;
  readonly kind: TransferredKind;
  /** As an item of a list, which has this number. */
  readonly item: ItemNumbers | undefined;
  /** Its JSON. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A kind that was learnt, of which OpenAPI is to be told. */
export interface OpenApiMessage {
  readonly publish: { readonly group: string; readonly version: string; readonly plural: string };
  readonly openApi: 2 | 3;
  readonly as: 'json' | 'protobuf';
  /** Its definition, whose JSON the bytes are. */
  readonly definition: Omit<DefinitionState, 'json'>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An outcome on its way back. */
export interface OutcomeMessage {
  readonly id: number;
  readonly outcome: Outcome;
}

/** What of an object that was sent whole is told to who listens: names and versions in its metadata. */
export type RequestMetadata = Pick<ObjectMetadata, 'name' | 'namespace' | 'uid' | 'resourceVersion'>;

export function packWrite(
  { target, options, input }: WriteRequest<EncodedInput>,
  { definition, known, absent }: WriteSnapshot,
  now: number,
): PrepareMessage {
  const { resource, namespace, name, subresource } = target;
  const { user, fieldValidation, manager, force, dryRun } = options;
  const source = sourceOf(input);
  const objects = definition ? [definition, ...known] : known;
  let length = source.length;
  for (const { json } of objects) length += json.length;
  const bytes = new Uint8Array(length);
  bytes.set(source);
  let at = source.length;
  for (const { json } of objects) {
    bytes.set(json, at);
    at += json.length;
  }
  return {
    place: {
      ...{ group: resource.group, version: resource.version, plural: resource.definition.plural },
      ...{ namespace, name, subresource },
    },
    options: {
      ...{ dryRun, fieldValidation },
      ...(user && { user }),
      ...(manager !== undefined && { manager }),
      ...(force && { force }),
    },
    verb: input.verb,
    type: 'body' in input ? input.body.format! : input.type,
    now,
    sourceLength: source.length,
    definition: definition && withoutBytes(definition),
    known: known.map(withoutBytes),
    absent,
    bytes,
  };
}

/** Its properties may be read from bytes when asked for, and are asked for one by one. */
function withoutBytes(stored: StoredObject): SentObject {
  return {
    key: stored.key,
    revision: stored.revision,
    revisionAt: stored.revisionAt,
    revisionLength: stored.revisionLength,
    itemAt: stored.itemAt,
    mark: stored.mark,
    labels: stored.labels,
    fields: stored.fields,
    length: stored.json.length,
  };
}

export function sourceOf(input: EncodedInput): Buffer {
  return 'body' in input ? input.body.source : input.source;
}

/** The definition that was sent along, of a kind that this thread may not know. */
export function unpackDefinition(message: PrepareMessage): StoredObject | undefined {
  const { definition, sourceLength } = message;
  return definition && withBytes(definition, message, sourceLength);
}

/** The write that a message asks for; undefined where its kind is not known here. */
export function unpackRequest(
  registry: Registry,
  { protobufMagic }: Dialect,
  message: PrepareMessage,
): WriteRequest<EncodedInput> | undefined {
  const { place, options, verb, type, bytes, sourceLength } = message;
  const { group, version, plural, ...where } = place;
  const resource = registry.find(group, version, plural);
  if (!resource) return undefined;
  const source = Buffer.from(bytes.buffer, 0, sourceLength);
  const input =
    verb === 'patch' || verb === 'apply'
      ? { verb, type, source }
      : { verb, body: bodyInFormat(type as BodyFormat, source, expected(resource), protobufMagic) };
  return { target: { resource, ...where }, options, input: input as EncodedInput };
}

const expected = ({ apiVersion, kind, definition: { schema } }: ServedResource) => ({
  ...{ apiVersion, kind, schema },
});

/** The objects that were sent along, by key, and those that are not there. */
export function unpackSnapshot(message: PrepareMessage): SnapshotObjects {
  const { definition, known, absent, sourceLength } = message;
  const objects = new Map<string, StoredObject>();
  let at = sourceLength + (definition?.length ?? 0);
  for (const each of known) {
    objects.set(each.key, withBytes(each, message, at));
    at += each.length;
  }
  return { objects, absent };
}

function withBytes({ length, ...rest }: SentObject, { bytes }: PrepareMessage, at: number): StoredObject {
  return { ...rest, json: Buffer.from(bytes.buffer, at, length) };
}

/** What of a message changes hands instead of being copied. */
export function transferable(bytes: Uint8Array): ArrayBuffer[] {
  return bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : [];
}

/** The outcome with bytes of its own: those of short texts lie in memory that many share. */
export function prepareTransfer(outcome: Outcome): { outcome: Outcome; transfer: ArrayBuffer[] } {
  if (outcome.is === 'prepared') {
    const prepared = withJson(outcome.prepared, withOwnBuffer);
    const json = jsonIn(prepared);
    return { outcome: { ...outcome, prepared }, transfer: json ? transferable(json) : [] };
  }
  if (outcome.is === 'published') {
    const paths = withOwnBuffer(outcome.texts.paths);
    const schemas = withOwnBuffer(outcome.texts.schemas);
    const texts = { ...outcome.texts, paths, schemas };
    return { outcome: { ...outcome, texts }, transfer: [paths, schemas].flatMap(transferable) };
  }
  if (outcome.is === 'written') {
    const bytes = withOwnBuffer(outcome.bytes);
    return { outcome: { ...outcome, bytes }, transfer: transferable(bytes) };
  }
  return { outcome, transfer: [] };
}

const withOwnBuffer = (bytes: Uint8Array) =>
  bytes.byteLength === bytes.buffer.byteLength
    ? Buffer.from(bytes.buffer)
    : Buffer.from(new Uint8Array(bytes).buffer);

/** A buffer that came over is a bare array of bytes. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A prepared write with its bytes as a buffer. */
export const withBuffers = (prepared: PreparedWrite): PreparedWrite => withJson(prepared, asBuffer);

function withJson(prepared: PreparedWrite, map: (json: Buffer) => Buffer): PreparedWrite {
  if (prepared.is === 'dryRun') {
    return { ...prepared, object: { ...prepared.object, json: map(prepared.object.json) } };
  }
  if (prepared.is !== 'write' || !prepared.write.draft) return prepared;
  const { write } = prepared;
  const { draft } = prepared.write;
  return { ...prepared, write: { ...write, draft: { ...draft, json: map(draft.json) } } };
}

function jsonIn(prepared: PreparedWrite): Buffer | undefined {
  if (prepared.is === 'dryRun') return prepared.object.json;
  return prepared.is === 'write' ? prepared.write.draft?.json : undefined;
}
