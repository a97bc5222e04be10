/**
 * What everybody who takes part in a run has seen. Times are milliseconds on the one clock of the process that records:
 * `began` is before a request is sent, `ended` after its answer is there, so what lies between two such times is certain.
 */

/** An object as it was shown. Who writes it leaves its own name in `token` (create, update) or in `patch`. */
export interface Shown {
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly token: string;
  readonly patch: string;
}

interface Request {
  readonly collection: string;
  /** Which server was asked. */
  readonly server: number;
  readonly began: number;
  readonly ended: number;
}

/** `refused` was surely not done; of `unknown` nobody can tell. */
export type Outcome = 'done' | 'refused' | 'unknown';

export interface WriteSeen extends Request {
  readonly id: string;
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly name: string;
  /** The revision that the object had to have. */
  readonly expected?: number | undefined;
  readonly outcome: Outcome;
  /** Of the answer; 0 where there was none. */
  readonly code: number;
  /** What the answer shows; nothing for a deletion. */
  readonly shown?: Shown | undefined;
  /** Of what was deleted. */
  readonly uid?: string | undefined;
}

/** What a read asks for. */
export type Asked = 'newest' | 'any' | { readonly notBefore: number } | { readonly exactly: number };

export interface GetSeen extends Request {
  readonly name: string;
  readonly asked: Asked;
  readonly found: Shown | undefined;
}

export interface ListSeen extends Request {
  readonly asked: Asked;
  readonly revision: number;
  readonly items: readonly Shown[];
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** What a watch has told. */
export type Heard =
  | { readonly at: number; readonly type: EventType; readonly object: Shown }
  | { readonly at: number; readonly type: 'BOOKMARK'; readonly revision: number };

export interface Session {
  readonly server: number;
  readonly from: number;
  readonly heard: Heard[];
}

/** A list and what was heard from there on, by as many watches as it took: each goes on where the last one broke off. */
export interface Following {
  readonly list: ListSeen;
  readonly sessions: Session[];
}

/** One that watches. It lists again only where it was told that history is cut. */
export interface WatcherSeen {
  readonly name: string;
  readonly collection: string;
  readonly followings: Following[];
}

/** A request was answered with 410: what was asked for from `revision` on is said to be forgotten. */
export interface ExpirySeen extends Request {
  readonly revision: number;
}

/** History was really cut, at one server or at all of them: what had been made by `until` may be forgotten. */
export interface Cut {
  readonly server: number | undefined;
  readonly from: number;
  readonly until: number;
}

/** A stretch of time of one server. */
export interface Stretch {
  readonly server: number;
  readonly from: number;
  readonly until: number;
}

/** A server says that it leads; `until` is when it said that it does not any more, or was killed. */
type Leading = Stretch;

/** A state of the lease of the controllers. */
export interface LeaseSeen {
  readonly revision: number;
  /** '' where it was given back. */
  readonly holder: string;
  /** When the holder says it asked for it, on the real clock. */
  readonly renewed: number;
  /** For how long it is good without being renewed, in milliseconds. */
  readonly duration: number;
}

interface Death {
  readonly server: number;
  readonly at: number;
  /** How it ended, and what it said last. */
  readonly how: string;
}

export interface RunRecord {
  readonly writes: WriteSeen[];
  readonly gets: GetSeen[];
  readonly lists: ListSeen[];
  readonly watchers: WatcherSeen[];
  readonly expiries: ExpirySeen[];
  readonly cuts: Cut[];
  readonly leading: Leading[];
  /** While a server was made to stand still. */
  readonly standstills: Stretch[];
  /** Each is a time in which every change of the lease was seen; what was between two of them nobody knows. */
  readonly leases: LeaseSeen[][];
  /** Of servers that were not told to end. */
  readonly deaths: Death[];
}

export function newRecord(): RunRecord {
  return {
    writes: [],
    gets: [],
    lists: [],
    watchers: [],
    expiries: [],
    cuts: [],
    leading: [],
    standstills: [],
    leases: [],
    deaths: [],
  };
}
