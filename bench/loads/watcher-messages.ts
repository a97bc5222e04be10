// The IPC messages between the benchmark and its watcher process.

export type FromWatchers =
  | { readonly type: 'open' }
  /** Every connection has received the event with this sequence number. */
  | { readonly type: 'complete'; readonly sequence: number }
  | { readonly type: 'lost'; readonly reason: string }
  | { readonly type: 'delays'; readonly delivered: number; readonly p50: number; readonly p99: number };

/** Requests the delays of the events since the last report, in milliseconds. */
export type ToWatchers = { readonly type: 'report' };
