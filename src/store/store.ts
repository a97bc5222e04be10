/**
 * The storage interface (etcd's role): the contract that every backend implements, and all that the rest of the
 * server knows of storage.
 *
 * Invariants:
 * - Every write gets its own revision in one global order. Revisions never repeat and never decrease; they may have
 *   gaps when other programs write to the same backend.
 * - A write becomes visible (get, pin, listeners) only once it is durable, and in revision order.
 * - A view is a snapshot at its revision, however long it is read.
 * - The history between `compacted` and `revision` is complete, also after a restart.
 *
 * Keys: every key belongs to one resource and starts with that resource's prefix and a slash. A prefix neither starts
 * nor ends with a slash, may contain one (`apps/deployments`), and is never another prefix followed by a slash: the
 * key ranges of resources do not overlap.
 */

import type { ListenerFailures } from './listener-failures.ts';

/** A position in the global order of writes; clients see it as `resourceVersion`. 0 is before the first write. */
export type Revision = number;

/** An object to be written: its JSON with a gap where the revision is inserted. */
export interface Draft {
  /** The JSON of the object in its storage version, with `"resourceVersion":""` in its metadata. */
  readonly json: Buffer;
  /** Byte offset between those two quotes. */
  readonly revisionOffset: number;
  /**
   * Byte offset after `{"kind":…,"apiVersion":…,`. Items of a list carry neither, so in a list (and in its encoded
   * runs) an object is `{` followed by its JSON from here on. 1 for kinds whose lists keep both (custom resources).
   */
  readonly listItemOffset: number;
  /** The object's labels as written by `encodePairs`, so that selectors do not parse the JSON. */
  readonly labels: string;
  /** The values of the kind's selectable fields beyond name and namespace, encoded the same way. */
  readonly selectableFields: string;
  /**
   * The fingerprint of the schema that encoded the bytes, opaque to the store. A reader with another schema must decode
   * the bytes before it serves them.
   */
  readonly schemaFingerprint: string;
  /** Expiry (TTL of Events), in milliseconds since the epoch. */
  readonly expiresAtMs?: number | undefined;
}

/**
 * An object in the store. `json` contains the revision and must not be modified. Properties may be getters that
 * decode bytes on access: do not copy the object with a spread.
 */
export interface StoredObject extends Draft {
  /** `<prefix>/<namespace>/<name>`, or without namespace for cluster-scoped kinds. */
  readonly key: string;
  readonly revision: Revision;
  /** Length of the revision's digits at `revisionOffset`. */
  readonly revisionLength: number;
}

type ChangeType = 'created' | 'updated' | 'deleted';

/** One committed write, as watchers and controllers' caches see it. */
export interface Change {
  readonly revision: Revision;
  readonly type: ChangeType;
  /** The resource prefix of the write. */
  readonly prefix: string;
  readonly key: string;
  /** The new state. For a deletion: the last state, with the deletion's revision inserted. */
  readonly object: StoredObject;
  /** The state before the write; absent for a creation. */
  readonly previous?: StoredObject;
  /** Commit time, in milliseconds since the epoch. */
  readonly committedAtMs: number;
}

export interface Write {
  /** The prefix of the key's resource, without the slash that follows it: `configmaps`, `apps/deployments`. */
  readonly prefix: string;
  readonly key: string;
  /** Optimistic concurrency: the revision the key must have; 0 means "must not exist". Absent: no precondition. */
  readonly expectedRevision?: Revision;
  /** The new state, or null to delete. Deleting an absent key fails with PreconditionFailed. */
  readonly draft: Draft | null;
  /**
   * Set when the write allocates from a pool shared with other writes. Backends with a single writing server may
   * ignore it.
   */
  readonly conflictScope?: ConflictScope;
  /** Set by the controllers' leader. Backends with a single writing server may ignore it. */
  readonly fence?: Fence;
  /** The update is a step of the object's deletion, so that a full backend accepts it like a deletion. */
  readonly isTerminating?: boolean;
}

/**
 * Conflict scope: writes that allocate from one pool, on whichever server (for example, service IPs). A write that
 * was decided on a state older than the scope's last write fails with TransactionConflict.
 */
export interface ConflictScope {
  readonly name: string;
  /** The revision of the state that the write was decided on. */
  readonly asOf: Revision;
}

/**
 * Fence: shuts out a writer that was replaced, also its writes that are under way. Whoever takes over raises the fence with a
 * write. From then on only writes that name that raise succeed; others fail with FencedOff. Writes without a fence are not affected.
 */
export interface Fence {
  readonly name: string;
  /** The revision of the write that last raised the fence, or `now`: this write raises it. */
  readonly raisedAt: Revision | 'now';
}

/** Another writer has raised the fence, or the data was replaced. The write had no effect; a retry would have none. */
export class FencedOff extends Error {}

/**
 * Transaction conflict: another write of the same scope committed first. It is visible in this store now, so the
 * caller can decide again.
 */
export class TransactionConflict extends Error {}

/** The key did not have the expected revision; `current` is the object there now. */
export class PreconditionFailed extends Error {
  readonly key: string;
  readonly current: StoredObject | undefined;
  constructor(key: string, current: StoredObject | undefined) {
    super(`precondition failed for ${key}`);
    this.key = key;
    this.current = current;
  }
}

/** The key cannot be stored: it is too long, or does not belong to its resource. The write had no effect. */
export class InvalidKey extends Error {}

/** The object exceeds the backend's size limit. The write had no effect. */
export class ObjectTooLarge extends Error {}

/** The requested history has been compacted. */
export class Compacted extends Error {
  readonly compacted: Revision;
  constructor(compacted: Revision) {
    super(`history up to revision ${compacted} has been compacted`);
    this.compacted = compacted;
  }
}

/**
 * The backend could not make the write durable (disk full, I/O error, shut down). The write had no effect, unless the
 * message says that the outcome is unknown. For a read: the latest revision cannot be determined.
 */
export class StorageUnavailable extends Error {}

/** The write had no effect: the quota of the backend or its disk is used up. Deletions are accepted. */
export class StorageFull extends StorageUnavailable {}

/**
 * A snapshot, readable until it is released. Release it soon: a pinned view keeps the data file from reusing pages.
 */
export interface View {
  readonly revision: Revision;
  get(key: string): StoredObject | undefined;
  /** The objects whose key starts with `prefix`, in byte order of their keys, from the first key > `after` on. */
  range(prefix: string, after?: string): Iterable<StoredObject>;
  /** Like `range`, without decoding values. */
  keys(prefix: string, after?: string): Iterable<string>;
  /**
   * The keys of the objects that may satisfy the requirements, in byte order, from an index; some of the objects may not satisfy
   * them, or not exist. Undefined if no index can answer the query. Absent on backends without indexes.
   */
  candidates?(query: IndexQuery): Iterable<string> | undefined;
  release(): void;
}

/** A requirement that every selected object satisfies: the label, selectable field or part of the key has one of the values. */
export interface EqualityRequirement {
  /** `key`: metadata.name and metadata.namespace. */
  readonly kind: 'label' | 'field' | 'key';
  readonly name: string;
  /** The value of an absent field is '', whereas an absent label has no value. */
  readonly values: readonly string[];
}

/** A requirement that an index can answer. */
export interface ContentRequirement extends EqualityRequirement {
  readonly kind: 'label' | 'field';
}

export interface IndexQuery {
  /** The resource prefix, as in `Write`. */
  readonly prefix: string;
  /** Only keys that start with it, from the first key > `after` on. */
  readonly keyPrefix: string;
  readonly after: string;
  /** All of them must be satisfied; an index of any one can answer. */
  readonly requirements: readonly ContentRequirement[];
  /** An index with more candidates than this does not answer. */
  readonly maxCandidates: number;
}

/** How many objects a list by selector has read. */
export interface SelectorScan {
  readonly prefix: string;
  readonly requirements: readonly ContentRequirement[];
  readonly examined: number;
  readonly returned: number;
}

/**
 * Consistent reads: what a request handler does about local state that may be older than the latest acknowledged
 * revision. Handlers decide on the local state, and use the reader before they reject a request.
 */
export interface ConsistentReader {
  /**
   * Applies every write acknowledged before the call, unless the backend is unreachable. False if the local state
   * always includes them: deciding again gives the same result.
   */
  refresh(): Promise<boolean>;
  /**
   * Whether the local state at `revision` lacked an acknowledged write, which is visible now. Rejects with
   * StorageUnavailable.
   */
  isOutdated(revision: Revision): Promise<boolean>;
  /**
   * Returns the object if it is the latest acknowledged state of its key, and rejects with PreconditionFailed
   * otherwise: the commit of a write that changes nothing.
   */
  confirm(object: StoredObject): Promise<StoredObject>;
}

export type ChangeListener = (changes: readonly Change[]) => void;

export interface Store {
  /** The latest revision that is visible in this process. */
  readonly revision: Revision;
  /**
   * Whether other servers write to the same backend, so that allocations need a ConflictScope and the leader must be
   * elected.
   */
  readonly isShared: boolean;
  readonly reader: ConsistentReader;
  readonly listenerFailures: ListenerFailures;
  /** History is complete after this revision. */
  readonly compacted: Revision;

  /** Resolves once durable and visible. Rejects with PreconditionFailed, TransactionConflict, FencedOff, InvalidKey, StorageFull or StorageUnavailable. */
  commit(write: Write): Promise<Change>;
  /**
   * Waits until this store has applied the latest acknowledged revision, and returns it: a read after that is
   * linearizable.
   */
  head(): Promise<Revision>;
  get(key: string): StoredObject | undefined;
  pin(): View;
  /**
   * The changes of one resource with revisions in (after, until], oldest first. With `keyPrefix`, only keys with that
   * prefix (`configmaps/default/`). Throws Compacted, either at once or during iteration if compaction catches up.
   */
  history(prefix: string, after: Revision, until?: Revision, keyPrefix?: string): Iterable<Change>;
  /**
   * Calls the listener with changes in revision order, in the batches in which they became visible, before their
   * commits resolve. With `prefixes` it receives the changes of these resources only. Returns the unsubscribe
   * function.
   *
   * A listener should not throw: its error is reported to `listenerFailures`, and it loses the rest of the batch. A
   * listener that keeps state handles errors for each change, so that its state is not wrong afterwards.
   */
  subscribe(listener: ChangeListener, prefixes?: Iterable<string>): () => void;
  /**
   * Calls the listener when everything derived from this store is invalid: it was restored to another state, or it
   * missed changes that have been compacted. Returns the unsubscribe function.
   */
  onReset(listener: () => void): () => void;
  /** Reports a list by selector to a backend that builds indexes on demand. */
  reportScan?(scan: SelectorScan): void;
  /** Discards history up to and including `revision`. */
  compact(revision: Revision): Promise<void>;
  /** For metrics and `orch store stat`. */
  stats(): StoreStats;
  /** Rejects new writes, completes the pending ones and releases files. */
  close(): Promise<void>;
}

export interface StoreStats {
  readonly objects: number;
  /** Revisions in the history. */
  readonly changes: number;
  readonly bytes: number;
  /** The part of `bytes` that contains data. Undefined where the backend does not know it. */
  readonly usedBytes?: number | undefined;
  /** The backend's quota; undefined if it has none, or does not tell. */
  readonly quotaBytes?: number | undefined;
  /** Why writes fail with StorageFull; undefined while there is space. */
  readonly outOfSpace?: string | undefined;
}
