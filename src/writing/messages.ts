/**
 * What goes between the serving thread and those that work writes out: small objects that are copied, and beside them
 * all bytes in one piece of memory that changes hands without being copied.
 */
import type { Target } from '../resource/api.ts';
import type { Sent, WriteRequest } from '../resource/carry-out.ts';
import type { ObjectMeta } from '../resource/definition.ts';
import type { WriteOptions } from '../resource/options/write-options.ts';
import type { Registry } from '../resource/registry.ts';
import { jsonBody } from '../resource/sent-body.ts';
import type { StoredObject } from '../store/store.ts';
import type { PlannedWrite } from './planning-store.ts';

/** A write to be worked out. */
export interface PlanMessage {
  readonly id: number;
  readonly place: Place;
  readonly options: WriteOptions;
  readonly verb: Sent['verb'];
  /** The type of a patch or apply. */
  readonly type: string;
  /** The server's time. */
  readonly now: number;
  readonly sourceLength: number;
  readonly known: readonly KnownObject[];
  /** What the client sent, then the JSON of each known object. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Place extends Omit<Target, 'resource'> {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

type KnownObject = Omit<StoredObject, 'json'> & { readonly length: number };

/** What came of it. */
export type Outcome =
  /** This is to be committed. */
  | {
      readonly is: 'write';
      readonly created: boolean;
      readonly write: PlannedWrite;
      readonly warnings: readonly string[];
      readonly brought: Brought | undefined;
    }
  /** The object stays as it is. */
  | { readonly is: 'nothing'; readonly warnings: readonly string[]; readonly brought: Brought | undefined }
  | {
      readonly is: 'refused';
      readonly error: Refusal;
      readonly warnings: readonly string[];
      readonly brought: Brought | undefined;
    }
  /** It takes more than a thread knows. */
  | { readonly is: 'beyond' };

export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details: object | undefined;
}

/** An outcome on its way back. */
export interface OutcomeMessage {
  readonly id: number;
  readonly outcome: Outcome;
}

/** What of an object that was sent whole is told to who listens: names and versions in its metadata. */
export type Brought = Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'resourceVersion'>;

export function packPlan(
  id: number,
  { target, options, sent }: WriteRequest,
  known: readonly StoredObject[],
  now: number,
): PlanMessage {
  const { resource, namespace, name, subresource } = target;
  const { user, fieldValidation, manager, force, dryRun } = options;
  const source = sourceOf(sent);
  let length = source.length;
  for (const { json } of known) length += json.length;
  const bytes = new Uint8Array(length);
  bytes.set(source);
  let at = source.length;
  for (const { json } of known) {
    bytes.set(json, at);
    at += json.length;
  }
  return {
    id,
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
    verb: sent.verb,
    type: 'type' in sent ? sent.type : '',
    now,
    sourceLength: source.length,
    known: known.map((stored) => ({
      key: stored.key,
      revision: stored.revision,
      revisionAt: stored.revisionAt,
      revisionLength: stored.revisionLength,
      itemAt: stored.itemAt,
      mark: stored.mark,
      labels: stored.labels,
      fields: stored.fields,
      length: stored.json.length,
    })),
    bytes,
  };
}

export function sourceOf(sent: Sent): Buffer {
  return 'body' in sent ? sent.body.source : sent.source;
}

/** The write that a message asks for; undefined where its kind is not known here. */
export function unpackRequest(registry: Registry, message: PlanMessage): WriteRequest | undefined {
  const { place, options, verb, type, bytes, sourceLength } = message;
  const { group, version, plural, ...where } = place;
  const resource = registry.find(group, version, plural);
  if (!resource) return undefined;
  const source = Buffer.from(bytes.buffer, 0, sourceLength);
  const sent =
    verb === 'patch' || verb === 'apply' ? { verb, type, source } : { verb, body: jsonBody(source) };
  return { target: { resource, ...where }, options, sent: sent as Sent };
}

/** The objects that were sent along, by key. */
export function unpackKnown({ known, bytes, sourceLength }: PlanMessage): Map<string, StoredObject> {
  const objects = new Map<string, StoredObject>();
  let at = sourceLength;
  for (const { length, ...rest } of known) {
    objects.set(rest.key, { ...rest, json: Buffer.from(bytes.buffer, at, length) });
    at += length;
  }
  return objects;
}

/** What of a message changes hands instead of being copied. */
export function transferable(bytes: Uint8Array): ArrayBuffer[] {
  return bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : [];
}

/** The outcome with bytes of its own: those of short texts lie in memory that many share. */
export function readyToSend(outcome: Outcome): { outcome: Outcome; transfer: ArrayBuffer[] } {
  if (outcome.is !== 'write') return { outcome, transfer: [] };
  const { draft } = outcome.write;
  const isAlone = draft.json.byteLength === draft.json.buffer.byteLength;
  const json = isAlone ? draft.json : Buffer.from(new Uint8Array(draft.json).buffer);
  const write = { ...outcome.write, draft: { ...draft, json } };
  return { outcome: { ...outcome, write }, transfer: transferable(json) };
}

/** A buffer that came over is a bare array of bytes. */
export function received({ draft, ...write }: PlannedWrite): PlannedWrite {
  const { buffer, byteOffset, byteLength } = draft.json;
  return { ...write, draft: { ...draft, json: Buffer.from(buffer, byteOffset, byteLength) } };
}
