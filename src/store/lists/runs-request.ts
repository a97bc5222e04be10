import type { Selection } from '../selection.ts';
import type { Revision } from '../store.ts';
import { compareKeys } from './runs-order.ts';

export interface ListRequest {
  /** The resource, as writes name it: `configmaps`. */
  readonly prefix: string;
  /** What the keys begin with: the prefix and a slash, or also a namespace and a slash. */
  readonly under: string;
  /** The one object it can be about, where a selector names it. */
  readonly key?: string;
  /** Only keys beyond this one. */
  readonly after?: string;
  /** How many objects at most; 0 or left out: all. */
  readonly limit?: number;
  readonly select?: Selection;
  /** The state at this revision instead of the present one. */
  readonly at?: Revision;
}

/** The keys in (lower, upper); without an upper end all of the resource that follow. */
export interface KeyRange {
  readonly lower: string;
  readonly upper: string | undefined;
}

export function rangeOf({ prefix, under, after }: ListRequest): KeyRange {
  const isWhole = under.length === prefix.length + 1;
  const start = isWhole ? '' : under;
  return {
    lower: after !== undefined && compareKeys(after, start) > 0 ? after : start,
    // A slash ends the namespace in a key, and a zero is the character that follows it.
    upper: isWhole ? undefined : `${under.slice(0, -1)}0`,
  };
}
