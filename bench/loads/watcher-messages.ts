// The settings of the benchmark's watcher process, and its IPC messages.

export interface WatcherSettings {
  readonly port: number;
  readonly token: string;
  /** The path of each watch; `watcherNumber` in it stands for the number of the watch. */
  readonly path: string;
  readonly count: number;
  /** The number of watches that receive each event. */
  readonly receivers: number;
  /** Watches of each HTTP/2 connection. Absent: HTTP/1.1, with a connection for each watch. */
  readonly streams?: number;
}

export const watcherNumber = '{number}';

export type FromWatchers =
  | { readonly type: 'open' }
  /** Every watch that selects the event with this sequence number has received it. */
  | { readonly type: 'complete'; readonly sequence: number }
  | { readonly type: 'lost'; readonly reason: string }
  | { readonly type: 'delays'; readonly delivered: number; readonly p50: number; readonly p99: number };

/** Requests the delays of the events since the last report, in milliseconds. */
export type ToWatchers = { readonly type: 'report' };
