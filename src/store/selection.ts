/**
 * Which objects of a collection a list or watch is about: predicates on labels, fields and keys.
 *
 * Labels and fields come as the strings kept beside an object (pairs.ts), and equal sets are equal strings, so the
 * answer for a string is worked out once and remembered.
 */
import { decodePairs } from './pairs.ts';

export interface Predicates {
  readonly labels?: (labels: ReadonlyMap<string, string>) => boolean;
  /** Sees the kind's selectable fields beyond name and namespace. */
  readonly fields?: (fields: ReadonlyMap<string, string>) => boolean;
  /** For name and namespace, which only the key tells. */
  readonly key?: (key: string) => boolean;
}

export class Selection {
  /** Selections with equal ids choose the same objects: watchers with the same share their work. */
  readonly id: string;
  readonly #labels: Memo | undefined;
  readonly #fields: Memo | undefined;
  readonly #key: ((key: string) => boolean) | undefined;

  constructor(id: string, predicates: Predicates) {
    this.id = id;
    this.#labels = predicates.labels && new Memo(predicates.labels);
    this.#fields = predicates.fields && new Memo(predicates.fields);
    this.#key = predicates.key;
  }

  get looksAtKeys(): boolean {
    return this.#key !== undefined;
  }

  /** Whether objects with these labels and fields are chosen, as far as those decide it. */
  matchesTraits(labels: string, fields: string): boolean {
    return (this.#labels?.test(labels) ?? true) && (this.#fields?.test(fields) ?? true);
  }

  matchesKey(key: string): boolean {
    return this.#key?.(key) ?? true;
  }

  matches(labels: string, fields: string, key: string): boolean {
    return this.matchesTraits(labels, fields) && this.matchesKey(key);
  }
}

/** A watch lives long and meets ever new strings. */
const MAX_REMEMBERED = 4096;

class Memo {
  readonly #predicate: (pairs: ReadonlyMap<string, string>) => boolean;
  readonly #answers = new Map<string, boolean>();

  constructor(predicate: (pairs: ReadonlyMap<string, string>) => boolean) {
    this.#predicate = predicate;
  }

  test(encoded: string): boolean {
    const known = this.#answers.get(encoded);
    if (known !== undefined) return known;
    const answer = this.#predicate(decodePairs(encoded));
    if (this.#answers.size >= MAX_REMEMBERED) this.#answers.clear();
    this.#answers.set(encoded, answer);
    return answer;
  }
}
