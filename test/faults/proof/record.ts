/**
 * The observations of all participants of a run. Times are milliseconds on the clock of the recording process: `began` is
 * before a request is sent, `ended` after its response has arrived, so the order of two such times is certain.
 */

/** An object as observed. A writer leaves its own id in `token` (create, update) or in `patch`. */
export interface ObservedObject {
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly token: string;
  readonly patch: string;
}

interface Request {
  readonly collection: string;
  /** The index of the server. */
  readonly server: number;
  readonly began: number;
  readonly ended: number;
}

/** `refused` was certainly not committed; `unknown` may have been. */
export type Outcome = 'done' | 'refused' | 'unknown';

export interface RecordedWrite extends Request {
  readonly id: string;
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly name: string;
  /** The expected revision of the object. */
  readonly expected?: number | undefined;
  readonly outcome: Outcome;
  /** The status code; 0 without a response. */
  readonly code: number;
  /** The object in the response; undefined for a deletion. */
  readonly object?: ObservedObject | undefined;
  /** The uid of the deleted object. */
  readonly uid?: string | undefined;
}

/** The consistency that a read requests. */
export type ReadConsistency =
  | 'newest'
  | 'any'
  | { readonly notBefore: number }
  | { readonly exactly: number };

export interface RecordedGet extends Request {
  readonly name: string;
  readonly consistency: ReadConsistency;
  readonly object: ObservedObject | undefined;
}

export interface RecordedList extends Request {
  readonly consistency: ReadConsistency;
  readonly revision: number;
  readonly items: readonly ObservedObject[];
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The events of a watch. */
export type RecordedEvent =
  | { readonly at: number; readonly type: EventType; readonly object: ObservedObject }
  | { readonly at: number; readonly type: 'BOOKMARK'; readonly revision: number };

export interface WatchSession {
  readonly server: number;
  readonly from: number;
  readonly events: RecordedEvent[];
}

/** A list and the events after it, from as many watches as needed: each resumes where the last one ended. */
export interface ListAndWatch {
  readonly list: RecordedList;
  readonly sessions: WatchSession[];
}

/** A watcher. It lists again only after 410. */
export interface RecordedWatcher {
  readonly name: string;
  readonly collection: string;
  readonly listsAndWatches: ListAndWatch[];
}

/** A 410 response: history from `revision` on is reported as compacted. */
export interface RecordedExpiry extends Request {
  readonly revision: number;
}

/** An actual compaction, at one server or at all: history up to `until` may be gone. */
export interface Compaction {
  readonly server: number | undefined;
  readonly from: number;
  readonly until: number;
}

/** A period of one server. */
export interface Period {
  readonly server: number;
  readonly from: number;
  readonly until: number;
}

/** A period of leadership; `until` is when the server reported its end, or was killed. */
type Leadership = Period;

/** A state of the controllers' Lease. */
export interface RecordedLease {
  readonly revision: number;
  /** '' after a release. */
  readonly holder: string;
  /** The renew time by its holder, on the real clock. */
  readonly renewed: number;
  /** The lease duration in milliseconds. */
  readonly duration: number;
}

interface UnexpectedExit {
  readonly server: number;
  readonly at: number;
  /** The exit code and the last output. */
  readonly how: string;
}

export interface RunRecord {
  readonly writes: RecordedWrite[];
  readonly gets: RecordedGet[];
  readonly lists: RecordedList[];
  readonly watchers: RecordedWatcher[];
  readonly expiries: RecordedExpiry[];
  readonly compactions: Compaction[];
  readonly leaderships: Leadership[];
  /** The periods in which a server was paused. */
  readonly pauses: Period[];
  /** The periods in which every change of the Lease was observed; between two of them it is unknown. */
  readonly leases: RecordedLease[][];
  /** The exits of servers that were not stopped by the run. */
  readonly unexpectedExits: UnexpectedExit[];
}

export function newRecord(): RunRecord {
  return {
    writes: [],
    gets: [],
    lists: [],
    watchers: [],
    expiries: [],
    compactions: [],
    leaderships: [],
    pauses: [],
    leases: [],
    unexpectedExits: [],
  };
}
