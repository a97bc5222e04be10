// Messages between the store of a serving thread and the host, which writes. The JSON of all writes of a message is in one
// buffer, which is transferred: a clone of a Buffer would copy the pool that it is a part of.
import type { MessagePort } from 'node:worker_threads';
import {
  type Draft,
  InvalidKey,
  ObjectTooLarge,
  PreconditionFailed,
  type Revision,
  type SelectorScan,
  StorageFull,
  StorageUnavailable,
  type StoredObject,
  TransactionConflict,
  type Write,
} from '../store.ts';

/** What a thread needs to open its store. */
export interface StoreConnection {
  readonly dir: string;
  /** Whether other servers write too: only the host can find out the latest revision. */
  readonly hasOtherServers: boolean;
  readonly port: MessagePort;
  readonly acknowledged: SharedArrayBuffer;
}

export interface SentWrite extends Omit<Write, 'draft'> {
  readonly id: number;
  /** The range of the JSON in the buffer of the message, instead of the JSON. */
  readonly draft: (Omit<Draft, 'json'> & { readonly start: number; readonly end: number }) | null;
}

export type ThreadMessage =
  | { readonly type: 'commit'; readonly writes: readonly SentWrite[]; readonly json: ArrayBuffer }
  | { readonly type: 'compact'; readonly id: number; readonly revision: Revision }
  /** Asks for the latest revision; the outcome has it. */
  | { readonly type: 'head'; readonly id: number }
  /** A list by selector has read more objects than it needed. */
  | { readonly type: 'scan'; readonly scan: SelectorScan }
  /** Lists use the index with this id. */
  | { readonly type: 'indexUse'; readonly id: number }
  /** The thread has closed the file. */
  | { readonly type: 'suspended' };

export type HostMessage =
  /** There are acknowledged writes to read, or the contents of the file were replaced. */
  | { readonly type: 'advance' }
  | { readonly type: 'settled'; readonly outcomes: readonly CommitOutcome[] }
  /** The environment is broken: close the file, and open it again at `resume`. */
  | { readonly type: 'suspend' }
  | { readonly type: 'resume' }
  /** The reason why the store is out of space; undefined once it has space again. */
  | { readonly type: 'space'; readonly problem: string | undefined };

/** The outcome of a commit, a compaction or a question for the latest revision. */
export interface CommitOutcome {
  readonly id: number;
  /** The revision of the write; of a failed one, the revision at which the cause of the failure is visible. */
  readonly revision: Revision;
  readonly failure?: Failure;
}

interface Failure {
  readonly name: keyof typeof failures | 'PreconditionFailed';
  readonly message: string;
  /** Of PreconditionFailed: the object at the key. */
  readonly current?: SentObject | undefined;
}

type SentObject = Omit<StoredObject, 'json'> & { readonly json: Uint8Array };

const failures = {
  TransactionConflict,
  InvalidKey,
  ObjectTooLarge,
  StorageFull,
  StorageUnavailable,
} as const;

export function sendWrites(
  writes: readonly { readonly id: number; readonly write: Write }[],
): Extract<ThreadMessage, { type: 'commit' }> {
  const total = writes.reduce((sum, { write }) => sum + (write.draft?.json.length ?? 0), 0);
  const json = new ArrayBuffer(total);
  const bytes = new Uint8Array(json);
  let end = 0;
  const sent = writes.map(({ id, write: { draft, ...rest } }): SentWrite => {
    if (!draft) return { ...rest, id, draft };
    const start = end;
    bytes.set(draft.json, start);
    end += draft.json.length;
    const { revisionOffset, listItemOffset, labels, selectableFields, schemaFingerprint, expiresAtMs } =
      draft;
    const fields = {
      revisionOffset,
      listItemOffset,
      labels,
      selectableFields,
      schemaFingerprint,
      expiresAtMs,
    };
    return { ...rest, id, draft: { ...fields, start, end } };
  });
  return { type: 'commit', writes: sent, json };
}

export function receiveWrite({ id: _id, draft, ...rest }: SentWrite, json: ArrayBuffer): Write {
  if (!draft) return { ...rest, draft };
  const { start, end, ...fields } = draft;
  return { ...rest, draft: { ...fields, json: Buffer.from(json, start, end - start) } };
}

export function toFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PreconditionFailed)
    return { name: 'PreconditionFailed', message, current: error.current && sendObject(error.current) };
  // StorageFull is a StorageUnavailable, so it comes first.
  for (const [name, type] of Object.entries(failures)) {
    if (error instanceof type) return { name: name as Failure['name'], message };
  }
  return { name: 'StorageUnavailable', message };
}

/** The error that the commit of a write to this key rejects with. */
export function toError({ name, message, current }: Failure, key: string): Error {
  if (name !== 'PreconditionFailed') return new failures[name](message);
  return new PreconditionFailed(key, current && { ...current, json: asBuffer(current.json) });
}

/** Properties of a stored object may be getters, which a clone would lose. */
function sendObject(object: StoredObject): SentObject {
  const { key, revision, revisionOffset, revisionLength, listItemOffset } = object;
  const { labels, selectableFields, schemaFingerprint, expiresAtMs } = object;
  const position = { key, revision, revisionOffset, revisionLength, listItemOffset };
  // An array of its own: a clone of a part of a larger buffer would contain all of it.
  const json = new Uint8Array(object.json);
  return { ...position, json, labels, selectableFields, schemaFingerprint, expiresAtMs };
}

const asBuffer = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);
