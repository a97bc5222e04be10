// Objects of a list page, as views into an encoded run.
import type { StoredObject } from '../store.ts';

/** Properties that many objects share, so that a run stores each distinct combination once. */
export interface SharedProperties {
  /** As in Draft (store.ts): encoded labels and selectable fields, and the mark of the schema. */
  readonly labels: string;
  readonly fields: string;
  readonly mark: string;
  /** The start of an object's JSON that list items omit, including the brace: `{"kind":…,"apiVersion":…,`. */
  readonly head: string;
}

/** The part of a stored object that a run encodes. */
export type RunSource = Pick<StoredObject, 'key' | 'json' | 'itemAt' | 'labels' | 'fields' | 'mark'>;

export class ListedObject {
  readonly key: string;
  /** The object's JSON as a list item. */
  readonly item: Buffer;
  readonly #shared: SharedProperties;

  constructor(key: string, item: Buffer, shared: SharedProperties) {
    this.key = key;
    this.item = item;
    this.#shared = shared;
  }

  static of(object: RunSource): ListedObject {
    const { key, json, itemAt, labels, fields, mark } = object;
    const item = itemAt === 1 ? json : Buffer.concat([brace, json.subarray(itemAt)]);
    return new ListedObject(key, item, { labels, fields, mark, head: json.toString('utf8', 0, itemAt) });
  }

  get labels(): string {
    return this.#shared.labels;
  }

  get fields(): string {
    return this.#shared.fields;
  }

  get mark(): string {
    return this.#shared.mark;
  }

  /** The complete JSON, as stored. */
  get json(): Buffer {
    const { head } = this.#shared;
    return head === '{' ? this.item : Buffer.concat([Buffer.from(head), this.item.subarray(1)]);
  }
}

const brace = Buffer.from('{');
