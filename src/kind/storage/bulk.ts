/** An object's JSON in two: all of it but for some large parts, which something short stands for, and those parts. */
interface Apart {
  readonly rest: Buffer;
  readonly parts: readonly Buffer[];
}

/** How parts that may be most of an object, and that few look at, are taken out of it: only of what its schema has written. */
export interface Bulk {
  takeOut(json: Buffer): Apart;
  /** The JSON with its parts, of whatever has become of the rest. */
  putBack(apart: Apart): Buffer;
}
