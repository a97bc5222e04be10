/**
 * Selection: the label selector, field selector and key predicates of a list or watch.
 *
 * Labels and fields are the strings stored beside an object (`encodePairs`). Equal sets are equal strings, so results are
 * memoized per string.
 */
import type { ContentRequirement, EqualityRequirement } from './store.ts';
import { decodePairs } from './stored-object.ts';

export interface SelectionPredicates {
  readonly labels?: (labels: ReadonlyMap<string, string>) => boolean;
  /** Receives the kind's selectable fields other than metadata.name and metadata.namespace. */
  readonly fields?: (fields: ReadonlyMap<string, string>) => boolean;
  /** For metadata.name and metadata.namespace, which are part of the key. */
  readonly key?: (key: string) => boolean;
  /** Requirements that follow from the predicates, for indexes. */
  readonly equalities?: readonly EqualityRequirement[];
}

export class Selection {
  /** Selections with equal ids select the same objects, so watchers with the same id share event encoding. */
  readonly id: string;
  readonly equalities: readonly EqualityRequirement[];
  readonly contentEqualities: readonly ContentRequirement[];
  readonly #labels: Memo | undefined;
  readonly #fields: Memo | undefined;
  readonly #key: ((key: string) => boolean) | undefined;

  constructor(id: string, predicates: SelectionPredicates) {
    this.id = id;
    this.equalities = predicates.equalities ?? [];
    this.contentEqualities = this.equalities.filter(isContentRequirement);
    this.#labels = predicates.labels && new Memo(predicates.labels);
    this.#fields = predicates.fields && new Memo(predicates.fields);
    this.#key = predicates.key;
  }

  get hasKeyPredicate(): boolean {
    return this.#key !== undefined;
  }

  /** Evaluates label and field selector only. */
  matchesLabelsAndFields(labels: string, fields: string): boolean {
    return (this.#labels?.test(labels) ?? true) && (this.#fields?.test(fields) ?? true);
  }

  matchesKey(key: string): boolean {
    return this.#key?.(key) ?? true;
  }

  matches(labels: string, fields: string, key: string): boolean {
    return this.matchesLabelsAndFields(labels, fields) && this.matchesKey(key);
  }
}

/** Bound the memo: a long-lived watch meets new strings all the time, and objects may have megabytes of labels. */
const MAX_MEMOIZED = 4096;
const MAX_MEMOIZED_CHARS = 256 * 1024;

class Memo {
  readonly #predicate: (pairs: ReadonlyMap<string, string>) => boolean;
  readonly #answers = new Map<string, boolean>();
  #memoizedChars = 0;

  constructor(predicate: (pairs: ReadonlyMap<string, string>) => boolean) {
    this.#predicate = predicate;
  }

  test(encoded: string): boolean {
    const memoized = this.#answers.get(encoded);
    if (memoized !== undefined) return memoized;
    const result = this.#predicate(decodePairs(encoded));
    if (encoded.length > MAX_MEMOIZED_CHARS) return result;
    if (this.#answers.size >= MAX_MEMOIZED || this.#memoizedChars + encoded.length > MAX_MEMOIZED_CHARS) {
      this.#answers.clear();
      this.#memoizedChars = 0;
    }
    this.#answers.set(encoded, result);
    this.#memoizedChars += encoded.length;
    return result;
  }
}

function isContentRequirement(requirement: EqualityRequirement): requirement is ContentRequirement {
  return requirement.kind !== 'key';
}
