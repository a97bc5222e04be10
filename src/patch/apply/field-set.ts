// Server-side apply: sets of field paths (fieldpath.Set upstream), and FieldsV1, their JSON in managedFields.
import { flatCopy } from '../../base/flat-copy.ts';
import { entryBytes, LruCache } from '../../base/lru-cache.ts';
import { isObject, type JsonObject, JsonText, type JsonValue } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';

/**
 * A set of fields as a tree: each node is a path, and says whether that path itself is a member. Children are keyed
 * by path elements as FieldsV1 writes them: `f:name`, `k:{"name":"a"}`, `v:"x"`, `i:0`. Sets are immutable, and an
 * operation without effect returns the same object.
 */
export class FieldSet {
  readonly isMember: boolean;
  /** The children, by path element. */
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

  /** The members that are not in `right`. */
  difference(right: FieldSet): FieldSet {
    if (right.isEmpty || this.isEmpty) return this;
    return this.#narrowed(this.isMember && !right.isMember, (mine, element) => {
      const theirs = right.below.get(element);
      return theirs ? mine.difference(theirs) : mine;
    });
  }

  /** The members that are neither in `right` nor below one of its members. */
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

  /** Replaces each child by the result of `narrow`, and drops those that become empty. */
  #narrowed(isMember: boolean, narrow: (mine: FieldSet, element: string) => FieldSet): FieldSet {
    let below: Map<string, FieldSet> | undefined;
    for (const [element, mine] of this.below) {
      const narrowed = narrow(mine, element);
      if (narrowed === mine) continue;
      below ??= new Map(this.below);
      if (narrowed.isEmpty) below.delete(element);
      else below.set(element, narrowed);
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

/** Approximate memory of a parsed set: measured at most 30 bytes per character, for deeply nested sets. */
const setBytesPerChar = 32;
const maxCachedSetBytes = 32 * 1024 * 1024;
const maxCachedSetLength = 16 * 1024;

/** Parsed sets by text: many objects have the same managedFields. */
const setCache = new LruCache<FieldSet>({
  maxWeight: maxCachedSetBytes,
  weightOf: (_set, text) => entryBytes + text.length * setBytesPerChar,
});

/** Parses a FieldsV1; undefined if it is invalid. */
export function decodeFieldsV1(value: JsonValue | undefined): FieldSet | undefined {
  if (!(value instanceof JsonText)) return decodeTree(value);
  const { text } = value;
  if (text.length > maxCachedSetLength) return decodeTree(parseJson(text).value);
  const cached = setCache.get(text);
  if (cached) return cached;
  const key = flatCopy(text);
  const set = decodeTree(parseJson(key).value);
  if (!set) return undefined;
  setCache.set(key, set);
  encodedSets.set(set, new JsonText(key));
  return set;
}

/** A missing FieldsV1 is an empty set; undefined if it is invalid. */
function decodeTree(value: JsonValue | undefined): FieldSet | undefined {
  if (value === undefined) return emptyFieldSet;
  if (!isObject(value)) return undefined;
  const below = decodeChildren(value, 0);
  return below && new FieldSet(false, below);
}

/** Bounds the nesting of parsed sets. */
const maxDepth = 500;

function decodeChildren(object: JsonObject, depth: number): Map<string, FieldSet> | undefined {
  if (depth > maxDepth) return undefined;
  const below = new Map<string, FieldSet>();
  for (const key in object) {
    if (key === '.') continue;
    const element = canonicalElement(key);
    if (element === undefined) return undefined;
    // An element type of a later release: skipped.
    if (element === '') continue;
    const node = decodeNode(object[key]!, depth + 1);
    if (node === undefined) return undefined;
    below.set(element, node);
  }
  return below;
}

/** `{}` is a leaf. In other nodes the key `.` says that the path itself is a member. */
function decodeNode(value: JsonValue, depth: number): FieldSet | undefined {
  if (!isObject(value)) return undefined;
  for (const _ in value) {
    const below = decodeChildren(value, depth);
    const isMember = Object.hasOwn(value, '.');
    return below && (isMember && below.size === 0 ? leafFieldSet : new FieldSet(isMember, below));
  }
  return leafFieldSet;
}

/** Cache of canonical key and value elements. Bounded to about 10 MB: the keys are property names, which V8 copies. */
const elementCache = new Map<string, string>();
const maxCachedElements = 10_000;
const maxCachedElementLength = 200;

/** The canonical form of a path element; '' for an unknown type, undefined for an invalid element. */
function canonicalElement(key: string): string | undefined {
  if (key[1] !== ':') return undefined;
  switch (key[0]) {
    case 'f':
      return key;
    case 'i':
      return /^i:-?\d{1,15}$/.test(key) ? key : undefined;
    case 'k':
    case 'v':
      return elementCache.get(key) ?? canonicalizeAndCache(key);
    default:
      return '';
  }
}

function canonicalizeAndCache(key: string): string | undefined {
  const value = parseJsonOrUndefined(key.slice(2));
  if (value === undefined || (key[0] === 'k' && !isObject(value))) return undefined;
  const element =
    isObject(value) && key[0] === 'k' ? keyPathElement(Object.entries(value)) : valuePathElementText(value);
  if (elementCache.size === maxCachedElements) elementCache.clear();
  if (key.length <= maxCachedElementLength) elementCache.set(key, element);
  return element;
}

function parseJsonOrUndefined(text: string): JsonValue | undefined {
  try {
    return parseJson(text).value;
  } catch {
    return undefined;
  }
}

/** The path element of a list element with this value. */
export function valuePathElementText(value: JsonValue): string {
  return `v:${encodeElementValue(value)}`;
}

const needsEscape = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Path elements escape HTML characters, like Go's encoder does. */
export function encodeElementValue(value: JsonValue): string {
  if (typeof value === 'string' && !needsEscape.test(value)) return `"${value}"`;
  return stringifyJson(value).replace(/[<>&\u2028\u2029]/g, escaped);
}

/** The path element of a list element with these keys. */
export function keyPathElement(keys: (readonly [string, JsonValue])[]): string {
  const sorted = [...keys].sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = sorted.map(([name, value]) => `${JSON.stringify(name)}:${encodeElementValue(value)}`);
  return `k:{${texts.join(',')}}`;
}

/** The text that a set was parsed from or encoded to. */
const encodedSets = new WeakMap<FieldSet, JsonText>();

/** The set as FieldsV1 text. */
export function encodeFieldsV1(set: FieldSet): JsonText {
  let text = encodedSets.get(set);
  if (!text) {
    text = new JsonText(encodeNode(set));
    encodedSets.set(set, text);
  }
  return text;
}

/** Written directly: building an object first would take several times as long for large sets. */
function encodeNode(set: FieldSet): string {
  if (set.below.size === 0) return '{}';
  const elements = [...set.below.keys()];
  if (!isInOrder(elements)) elements.sort(comparePathElements);
  let text = set.isMember ? '{".":{}' : '{';
  for (const element of elements) {
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(element)}:${encodeNode(set.below.get(element)!)}`;
  }
  return `${text}}`;
}

function isInOrder(elements: readonly string[]): boolean {
  for (let i = 1; i < elements.length; i++) {
    if (comparePathElements(elements[i - 1]!, elements[i]!) > 0) return false;
  }
  return true;
}

/** A path as in error messages: `.spec.containers[name="a"].image`. */
export function formatPath(path: readonly string[]): string {
  return path.map(formatPathElement).join('');
}

/** A key may have any type until it is validated. */
function formatKeyValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(formatKeyValue).join(',')}]`;
  if (!isObject(value)) return stringifyJson(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}=${formatKeyValue(member)}`)
    .join('');
}

function formatPathElement(element: string): string {
  const text = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${text}`;
    case 'k': {
      const keys = parseJsonOrUndefined(text);
      if (!isObject(keys)) return `[${text}]`;
      return `[${Object.entries(keys)
        .map(([name, value]) => `${name}=${formatKeyValue(value)}`)
        .join(',')}]`;
    }
    case 'v':
      return `[=${text}]`;
    default:
      return `[${text}]`;
  }
}
