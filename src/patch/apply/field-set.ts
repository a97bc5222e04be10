// Server-side apply: sets of field paths (fieldpath.Set upstream).

/**
 * A set of fields as a tree: each node is a path, and says whether that path itself is a member. Children are keyed
 * by path elements as FieldsV1 writes them: `f:name`, `k:{"name":"a"}`, `v:"x"`, `i:0`. Sets are immutable, and an
 * operation without effect returns the same object.
 */
export class FieldSet {
  readonly isMember: boolean;
  readonly below: ReadonlyMap<string, FieldSet>;

  constructor(isMember: boolean, below: ReadonlyMap<string, FieldSet> = noChildren) {
    this.isMember = isMember;
    this.below = below;
  }

  get isEmpty(): boolean {
    return !this.isMember && this.below.size === 0;
  }

  union(right: FieldSet): FieldSet {
    if (right.isEmpty || right === this) return this;
    if (this.isEmpty) return right;
    let below: Map<string, FieldSet> | undefined;
    for (const [element, theirs] of right.below) {
      const mine = this.below.get(element);
      const both = mine ? mine.union(theirs) : theirs;
      if (both === mine) continue;
      below ??= new Map(this.below);
      below.set(element, both);
    }
    const isMember = this.isMember || right.isMember;
    return below === undefined && isMember === this.isMember
      ? this
      : new FieldSet(isMember, below ?? this.below);
  }

  /** The members that are not in `other`. */
  difference(right: FieldSet): FieldSet {
    if (right.isEmpty || this.isEmpty) return this;
    return this.#narrowed(this.isMember && !right.isMember, (mine, element) => {
      const theirs = right.below.get(element);
      return theirs ? mine.difference(theirs) : mine;
    });
  }

  /** The members that are neither in `other` nor below one of its members. */
  differenceBelow(right: FieldSet): FieldSet {
    if (right.isEmpty || this.isEmpty) return this;
    if (right.isMember) return emptyFieldSet;
    return this.#narrowed(this.isMember, (mine, element) => {
      const theirs = right.below.get(element);
      return theirs ? mine.differenceBelow(theirs) : mine;
    });
  }

  intersection(right: FieldSet): FieldSet {
    if (right === this || this.isEmpty) return this;
    return this.#narrowed(this.isMember && right.isMember, (mine, element) => {
      const theirs = right.below.get(element);
      return theirs ? mine.intersection(theirs) : emptyFieldSet;
    });
  }

  equals(right: FieldSet): boolean {
    if (this === right) return true;
    if (this.isMember !== right.isMember || this.below.size !== right.below.size) return false;
    for (const [element, mine] of this.below) {
      const theirs = right.below.get(element);
      if (!theirs || !mine.equals(theirs)) return false;
    }
    return true;
  }

  /** All member paths except the root: direct children first, then deeper ones. */
  *paths(path: readonly string[] = []): Generator<readonly string[], void> {
    const elements = [...this.below.keys()].sort(comparePathElements);
    for (const element of elements) if (this.below.get(element)!.isMember) yield [...path, element];
    for (const element of elements) yield* this.below.get(element)!.paths([...path, element]);
  }

  #narrowed(isMember: boolean, narrow: (mine: FieldSet, element: string) => FieldSet): FieldSet {
    let below: Map<string, FieldSet> | undefined;
    for (const [element, mine] of this.below) {
      const rest = narrow(mine, element);
      if (rest === mine) continue;
      below ??= new Map(this.below);
      if (rest.isEmpty) below.delete(element);
      else below.set(element, rest);
    }
    return below === undefined && isMember === this.isMember
      ? this
      : new FieldSet(isMember, below ?? this.below);
  }
}

const noChildren: ReadonlyMap<string, FieldSet> = new Map();

export const emptyFieldSet = new FieldSet(false);
/** A leaf: a member without children. */
export const leafFieldSet = new FieldSet(true);

/** The set of these paths, in dotted notation: `metadata.labels`. */
export function fieldSetOfDottedPaths(paths: readonly string[]): FieldSet {
  return paths.reduce(
    (set, path) => set.union(fieldSetOfPath(path.split('.').map((name) => `f:${name}`))),
    emptyFieldSet,
  );
}

/** The set of one path. */
export function fieldSetOfPath(path: readonly string[]): FieldSet {
  return path.reduceRight((set, element) => new FieldSet(false, new Map([[element, set]])), leafFieldSet);
}

/** Order of path elements: fields by name, then elements by key, by value and by index. */
const pathElementTypeOrder = 'fkvi';

export function comparePathElements(left: string, right: string): number {
  if (left[0] !== right[0])
    return pathElementTypeOrder.indexOf(left[0]!) - pathElementTypeOrder.indexOf(right[0]!);
  if (left[0] === 'i') return Number(left.slice(2)) - Number(right.slice(2));
  return left < right ? -1 : left > right ? 1 : 0;
}
