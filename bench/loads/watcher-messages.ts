/** What the process that holds the watch connections tells the one that writes, and the other way. */
export type FromWatchers =
  | { readonly type: 'open' }
  /** Every connection has had the event with this sequence number. */
  | { readonly type: 'complete'; readonly sequence: number }
  | { readonly type: 'lost'; readonly reason: string }
  | { readonly type: 'delays'; readonly delivered: number; readonly p50: number; readonly p99: number };

/** Asks for the delays of the events so far, in milliseconds, and forgets them. */
export type ToWatchers = { readonly type: 'report' };
