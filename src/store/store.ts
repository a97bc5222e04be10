/**
 * What every storage backend promises, and all that the rest of the server knows of it.
 *
 * Invariants:
 * - Every write gets a revision of its own in one global order; revisions never repeat and never go back. They may
 *   leave gaps where others write to the same backend.
 * - A write is visible (get, pin, listeners) only once it is durable, and in the order of revisions.
 * - A view is one state: the state at its revision, however long it is read.
 * - The history between `compacted` and `revision` is unbroken, also across a restart.
 *
 * Keys: every key belongs to one resource and starts with that resource's prefix and a slash. A prefix has no slash
 * at its ends, may have one inside (`apps/deployments`), and none is another followed by a slash: no resource's
 * keys lie among another's.
 */

/** A position in the global order of writes; clients see it as `resourceVersion`. 0 is before the first write. */
export type Revision = number;

/** An object as it is to be written: its JSON with a hole where the revision goes. */
export interface Draft {
  /** The JSON text of the object in its stored version, with `"resourceVersion":""` in its metadata. */
  readonly json: Buffer;
  /** Byte offset between those two quotes. */
  readonly revisionAt: number;
  /**
   * Byte offset after `{"kind":…,"apiVersion":…,`. Items of a list carry neither, so in a list (and in its encoded
   * runs) an object is `{` followed by its JSON from here on. 1 for kinds whose lists keep both (custom resources).
   */
  readonly itemAt: number;
  /** The object's labels as `encodePairs` writes them, so that selectors need not parse the JSON. */
  readonly labels: string;
  /** The values of the kind's selectable fields beyond name and namespace, encoded the same way. */
  readonly fields: string;
  /** Names the schema the bytes were written under; bytes with another mark take the slow path. */
  readonly mark: string;
  /** When the object goes away by itself, in milliseconds since the epoch (Events). */
  readonly expiresAt?: number | undefined;
}

/**
 * An object as it stands in the store. `json` has the revision spliced in and must not be changed. Its properties
 * may be read from bytes when asked for: do not copy it with a spread.
 */
export interface StoredObject extends Draft {
  /** `<prefix>/<namespace>/<name>`, or without namespace for cluster-scoped kinds. */
  readonly key: string;
  readonly revision: Revision;
  /** Length of the revision's digits at `revisionAt`. */
  readonly revisionLength: number;
}

export type ChangeType = 'created' | 'updated' | 'deleted';

/** One write, as watchers and the mirror see it. */
export interface Change {
  readonly revision: Revision;
  readonly type: ChangeType;
  /** The resource it belongs to, as the write named it. */
  readonly prefix: string;
  readonly key: string;
  /** The new state; of a deletion the last state, with the deletion's revision spliced in. */
  readonly object: StoredObject;
  /** The state before; absent for a creation. */
  readonly previous?: StoredObject;
  /** When it was committed, in milliseconds since the epoch. */
  readonly at: number;
}

export interface Write {
  /** The prefix of the key's resource, without the slash that follows it: `configmaps`, `apps/deployments`. */
  readonly prefix: string;
  readonly key: string;
  /** The revision the key must have now: 0 for "must not exist". Left out: whatever it has. */
  readonly expect?: Revision;
  /** The new state, or null to delete, which fails like an expectation if there is nothing. */
  readonly draft: Draft | null;
  /** Left out where what it takes is its own. A backend that only one server writes to need not look at it. */
  readonly series?: Series;
}

/**
 * Writes that take something from one pool, be it of whichever server: one that was decided on a state before the last of
 * them fails with Overtaken.
 */
export interface Series {
  readonly name: string;
  /** The state that it was decided on. */
  readonly asOf: Revision;
}

/** Another write of the same series was faster: it is visible here now, and the write may be decided on anew. */
export class Overtaken extends Error {}

/** The key was not as the write expected; `current` is what stands there. */
export class PreconditionFailed extends Error {
  readonly key: string;
  readonly current: StoredObject | undefined;
  constructor(key: string, current: StoredObject | undefined) {
    super(`precondition failed for ${key}`);
    this.key = key;
    this.current = current;
  }
}

/** The key cannot be stored: too long, or not a text of its resource. Nothing of the write was done. */
export class InvalidKey extends Error {}

/** The object is larger than the backend takes. Nothing of the write was done. */
export class TooLarge extends Error {}

/** The history asked for has been compacted away. */
export class Compacted extends Error {
  readonly compacted: Revision;
  constructor(compacted: Revision) {
    super(`history up to revision ${compacted} has been compacted`);
    this.compacted = compacted;
  }
}

/**
 * The backend could not make the write durable (disk full, I/O error, shut down). Nothing of it was kept, unless the
 * message says that this is not known. Of a read: what is newest cannot be told.
 */
export class StorageUnavailable extends Error {}

/** One state, readable as long as it is held. Release it soon: a held view keeps the file from reusing space. */
export interface View {
  readonly revision: Revision;
  get(key: string): StoredObject | undefined;
  /** The objects whose key starts with `prefix`, in byte order of their keys, from the first key > `after` on. */
  range(prefix: string, after?: string): Iterable<StoredObject>;
  /** As range, keys only. */
  keys(prefix: string, after?: string): Iterable<string>;
  release(): void;
}

export type Listener = (changes: readonly Change[]) => void;

export interface Store {
  /** The last revision that is visible here. */
  readonly revision: Revision;
  /** Whether others may have written what is not visible here yet. */
  readonly mayLag: boolean;
  /** History is complete after this revision. */
  readonly compacted: Revision;

  /** Resolves once durable and visible. Rejects with PreconditionFailed, Overtaken, InvalidKey or StorageUnavailable. */
  commit(write: Write): Promise<Change>;
  /** The newest revision anywhere. Resolves once this store has reached it, so a read after it is consistent. */
  head(): Promise<Revision>;
  get(key: string): StoredObject | undefined;
  pin(): View;
  /**
   * The changes of one resource with revisions in (after, until], oldest first. With `under`, only those whose key
   * starts with it (`configmaps/default/`). Throws Compacted at once, or while it is read if compaction overtakes it.
   */
  history(prefix: string, after: Revision, until?: Revision, under?: string): Iterable<Change>;
  /**
   * Hears of changes in order, in the batches they became visible in, before their commits resolve. A listener
   * must not throw. Returns how to stop hearing.
   */
  subscribe(listener: Listener): () => void;
  /**
   * Hears when all that was known of this store is void: it was put back to another state, or has missed changes that
   * nobody can tell it any more. Returns how to stop hearing.
   */
  onReset(listener: () => void): () => void;
  /** Forgets history up to and including `revision`. */
  compact(revision: Revision): Promise<void>;
  /** Bytes used, counts: for metrics and `orch store stat`. */
  stats(): StoreStats;
  /** Takes no more writes, finishes those under way, lets go of files. */
  close(): Promise<void>;
}

export interface StoreStats {
  readonly objects: number;
  /** Revisions in the history. */
  readonly changes: number;
  readonly bytes: number;
}
