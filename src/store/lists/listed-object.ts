// Objects of a list page, as views into an encoded run (a buffer of neighbouring objects).
import type { StoredObject } from '../store.ts';

/** Properties that many objects share, so that a run stores each distinct combination once. */
export interface SharedProperties {
  /** As in Draft (store.ts): encoded labels and selectable fields, and the schema fingerprint. */
  readonly labels: string;
  readonly selectableFields: string;
  readonly schemaFingerprint: string;
  /** The start of an object's JSON that list items omit, including the brace: `{"kind":…,"apiVersion":…,`. */
  readonly head: string;
}

/** The part of a stored object that a run encodes. */
export type RunSource = Pick<
  StoredObject,
  'key' | 'json' | 'listItemOffset' | 'labels' | 'selectableFields' | 'schemaFingerprint'
>;

/** An object of a list page. Its complete JSON is built on access, since most lists need the item only. */
export class ListedObject {
  readonly key: string;
  /** The object's JSON as a list item: without kind and apiVersion, if lists of the kind omit them. */
  readonly item: Buffer;
  readonly #shared: SharedProperties;

  constructor(key: string, item: Buffer, shared: SharedProperties) {
    this.key = key;
    this.item = item;
    this.#shared = shared;
  }

  static of(object: RunSource): ListedObject {
    const { key, json, listItemOffset, labels, selectableFields, schemaFingerprint } = object;
    const item = listItemOffset === 1 ? json : Buffer.concat([brace, json.subarray(listItemOffset)]);
    return new ListedObject(key, item, {
      labels,
      selectableFields,
      schemaFingerprint,
      head: json.toString('utf8', 0, listItemOffset),
    });
  }

  get labels(): string {
    return this.#shared.labels;
  }

  get selectableFields(): string {
    return this.#shared.selectableFields;
  }

  get schemaFingerprint(): string {
    return this.#shared.schemaFingerprint;
  }

  /** The complete JSON, as stored. */
  get json(): Buffer {
    const { head } = this.#shared;
    return head === '{' ? this.item : Buffer.concat([Buffer.from(head), this.item.subarray(1)]);
  }
}

const brace = Buffer.from('{');
