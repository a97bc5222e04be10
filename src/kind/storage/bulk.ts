// Bulk data of an object (the data of a ConfigMap or Secret), split off while the rest is read or changed.

/** The JSON of an object with placeholders for its large parts, and these parts. */
interface SplitJson {
  readonly rest: Buffer;
  readonly parts: readonly Buffer[];
}

/** Splits large parts off an object's JSON. Only valid for JSON that the kind's current schema has written. */
export interface Bulk {
  takeOut(json: Buffer): SplitJson;
  /** Replaces the placeholders by their parts. */
  putBack(split: SplitJson): Buffer;
}
