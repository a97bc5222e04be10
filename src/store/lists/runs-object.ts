import type { StoredObject } from '../store.ts';

/** What objects may have in common, and what lists choose them by. */
export interface Traits {
  readonly labels: string;
  readonly fields: string;
  readonly mark: string;
  /** The start of an object's JSON that items of a list leave out, with the brace: `{"kind":…,"apiVersion":…,`. */
  readonly head: string;
}

/** What a run takes of an object. */
export type RunSource = Pick<StoredObject, 'key' | 'json' | 'itemAt' | 'labels' | 'fields' | 'mark'>;

/** An object of a page. */
export class ListedObject {
  readonly key: string;
  /** Its JSON as an item of a list. */
  readonly item: Buffer;
  readonly #traits: Traits;

  constructor(key: string, item: Buffer, traits: Traits) {
    this.key = key;
    this.item = item;
    this.#traits = traits;
  }

  static of(object: RunSource): ListedObject {
    const { key, json, itemAt, labels, fields, mark } = object;
    const item = itemAt === 1 ? json : Buffer.concat([brace, json.subarray(itemAt)]);
    return new ListedObject(key, item, { labels, fields, mark, head: json.toString('utf8', 0, itemAt) });
  }

  get labels(): string {
    return this.#traits.labels;
  }

  get fields(): string {
    return this.#traits.fields;
  }

  get mark(): string {
    return this.#traits.mark;
  }

  /** Its whole JSON, as it is stored. */
  get json(): Buffer {
    const { head } = this.#traits;
    return head === '{' ? this.item : Buffer.concat([Buffer.from(head), this.item.subarray(1)]);
  }
}

const brace = Buffer.from('{');
