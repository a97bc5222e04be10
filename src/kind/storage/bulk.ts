// Bulk data of an object (the schemas of a CustomResourceDefinition, most of its size): cut out of the JSON while the server
// reads or changes the rest, so that it need not be decoded.

/** The JSON of an object with placeholders for its large parts, and these parts. */
interface SplitJson {
  readonly jsonWithPlaceholders: Buffer;
  readonly parts: readonly Buffer[];
}

/** How to cut the large parts out of an object's JSON. Only valid for JSON that the kind's current schema has written. */
export interface Bulk {
  takeOut(json: Buffer): SplitJson;
  /** Replaces the placeholders by their parts. */
  putBack(split: SplitJson): Buffer;
}
