// List requests of the list cache: a range of keys with the limit, continue key, selector and revision of a list call.
import type { Selection } from '../selection.ts';
import type { Revision } from '../store.ts';
import { compareKeys } from './key-order.ts';

export interface StoreListRequest {
  /** The resource prefix, as in `Write`: `configmaps`. */
  readonly prefix: string;
  /** Key prefix: the resource prefix and a slash, optionally followed by a namespace and a slash. */
  readonly keyPrefix: string;
  /** Set if a field selector names a single object. */
  readonly key?: string;
  /** Only keys after this one (continue). */
  readonly after?: string;
  /** Maximum number of objects; 0 or absent: all. */
  readonly limit?: number;
  /** The label and field selector. */
  readonly select?: Selection;
  /** List at this exact revision instead of the current one. */
  readonly exactRevision?: Revision;
}

/** The keys in (lower, upper); without an upper bound, to the end of the resource. */
export interface KeyRange {
  readonly lower: string;
  readonly upper: string | undefined;
}

export function keyRangeOf({ prefix, keyPrefix, after }: StoreListRequest): KeyRange {
  const isWholeResource = keyPrefix.length === prefix.length + 1;
  const start = isWholeResource ? '' : keyPrefix;
  return {
    lower: after !== undefined && compareKeys(after, start) > 0 ? after : start,
    // A slash ends the namespace in a key, and `0` is the character after the slash.
    upper: isWholeResource ? undefined : `${keyPrefix.slice(0, -1)}0`,
  };
}
