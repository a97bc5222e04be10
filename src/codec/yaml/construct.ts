// YAML constructor: turns the node graph of a document into a JSON value.
import { type JsonObject, type JsonValue, nullPrototypeObject, RawNumber } from '../json/json-value.ts';
import type { AliasNode, ListNode, MapNode, ScalarNode, YamlNode } from './nodes.ts';
import { goSyntax, keyText, readScalar, type Scalar } from './scalar-value.ts';
import { YamlError } from './yaml-error.ts';

export interface Constructed {
  readonly value: JsonValue;
  /** Messages of duplicate keys: `line 3: key "a" already set in map`. */
  readonly repeated: readonly string[];
}

/** The entries of a map by type and text of the key: 1 and "1" are different keys until they become JSON. */
type Entries = Map<string, { readonly key: Scalar; readonly value: JsonValue }>;

/** A collection under construction. */
type Frame = ListFrame | MapFrame;

interface ListFrame {
  readonly node: ListNode;
  readonly alias: AliasNode | undefined;
  next: number;
  readonly items: JsonValue[];
}

interface MapFrame {
  readonly node: MapNode;
  readonly alias: AliasNode | undefined;
  next: number;
  readonly entries: Entries;
  /** Whether the entries go into the enclosing map (merge key). */
  readonly isMerged: boolean;
}

/** Constructs the JSON value that sigs.k8s.io/yaml converts a document to. */
export function construct(root: YamlNode): Constructed {
  return new Construction().run(root);
}

/** Bounds the number of duplicate-key messages. */
const maxDuplicateMessages = 100;

class Construction {
  readonly #repeated: string[] = [];
  readonly #frames: Frame[] = [];
  readonly #aliases = new Set<AliasNode>();
  #nodeCount = 0;
  #aliasedNodeCount = 0;
  #result: JsonValue = null;

  run(root: YamlNode): Constructed {
    this.#begin(root);
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      if ('items' in frame) this.#advanceList(frame);
      else this.#advanceMap(frame);
    }
    return { value: this.#result, repeated: this.#repeated };
  }

  /** Constructs a scalar, or opens a collection. */
  #begin(source: YamlNode): void {
    const { node, alias } = this.#resolve(source);
    if (node.kind === 'scalar') {
      this.#deliver(toJson(readScalar(node)));
      if (alias) this.#aliases.delete(alias);
    } else if (node.kind === 'list') {
      this.#frames.push({ node, alias, next: 0, items: [] });
    } else {
      this.#frames.push({ node, alias, next: 0, entries: new Map(), isMerged: false });
    }
  }

  /** Counts a node, and resolves an alias to its target. */
  #resolve(source: YamlNode): { node: Exclude<YamlNode, AliasNode>; alias: AliasNode | undefined } {
    this.#count();
    if (source.kind !== 'alias') return { node: source, alias: undefined };
    if (this.#aliases.has(source)) throw new YamlError(`yaml: anchor '${source.name}' value contains itself`);
    this.#aliases.add(source);
    this.#count();
    return { node: source.target as Exclude<YamlNode, AliasNode>, alias: source };
  }

  /** Protection against alias bombs: bounds the share of nodes that come from aliases. */
  #count(): void {
    this.#nodeCount++;
    if (this.#aliases.size > 0) this.#aliasedNodeCount++;
    if (this.#aliasedNodeCount <= 100 || this.#nodeCount <= 1000) return;
    if (this.#aliasedNodeCount / this.#nodeCount > allowedAliasRatio(this.#nodeCount)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }

  #deliver(value: JsonValue): void {
    const frame = this.#frames.at(-1);
    if (!frame) this.#result = value;
    else if ('items' in frame) frame.items.push(value);
    else
      this.#set(frame.entries, frame.node.parts[frame.next - 2]!, frame.node.parts[frame.next - 1]!, value);
  }

  #set(entries: Entries, keyNode: YamlNode, valueNode: YamlNode, value: JsonValue): void {
    const key = this.#keyOf(keyNode);
    const id = `${typeof key} ${key}`;
    if (entries.has(id) && this.#repeated.length < maxDuplicateMessages) {
      this.#repeated.push(`line ${valueNode.line + 1}: key ${goSyntax(key)} already set in map`);
    }
    entries.set(id, { key, value });
  }

  #keyOf(node: YamlNode): Scalar {
    return readScalar((node.kind === 'alias' ? node.target : node) as ScalarNode);
  }

  #end(frame: Frame): void {
    this.#frames.pop();
    if (frame.alias) this.#aliases.delete(frame.alias);
  }

  #advanceList(frame: ListFrame): void {
    const item = frame.node.items[frame.next++];
    if (item) {
      this.#begin(item);
      return;
    }
    this.#end(frame);
    this.#deliver(frame.items);
  }

  #advanceMap(frame: MapFrame): void {
    const { parts } = frame.node;
    const key = parts[frame.next];
    const value = parts[frame.next + 1];
    frame.next += 2;
    if (key && value) {
      if (isMerge(key)) {
        this.#merge(value, frame.entries);
        return;
      }
      this.#checkKey(key);
      this.#begin(value);
      return;
    }
    this.#end(frame);
    if (!frame.isMerged) this.#deliver(objectOf(frame.entries));
  }

  #checkKey(source: YamlNode): void {
    this.#count();
    const key = source.kind === 'alias' ? source.target : source;
    if (key.kind !== 'scalar') throw new YamlError(`yaml: invalid map key: ${goSyntax(shallow(key))}`);
  }

  #merge(value: YamlNode, entries: Entries): void {
    const sources = value.kind === 'list' ? value.items : [value];
    const isMap = (node: YamlNode) => (node.kind === 'alias' ? node.target : node).kind === 'map';
    if (!sources.every(isMap)) {
      throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
    }
    // Frames are a stack, so the last source is processed first and earlier ones overwrite it.
    for (const source of sources) {
      const { node, alias } = this.#resolve(source);
      this.#frames.push({ node: node as MapNode, alias, next: 0, entries, isMerged: true });
    }
  }
}

const isMerge = (node: YamlNode) => node.kind === 'scalar' && node.isPlain && node.text === '<<';

/** Node counts between which the allowed share of aliased nodes falls from 0.99 to 0.1, as in go-yaml. */
const aliasRatioRangeLow = 400_000;
const aliasRatioRangeHigh = 4_000_000;

function allowedAliasRatio(nodeCount: number): number {
  if (nodeCount <= aliasRatioRangeLow) return 0.99;
  if (nodeCount >= aliasRatioRangeHigh) return 0.1;
  return 0.99 - (0.89 * (nodeCount - aliasRatioRangeLow)) / (aliasRatioRangeHigh - aliasRatioRangeLow);
}

function objectOf(entries: Entries): JsonObject {
  const object = nullPrototypeObject();
  const named = [...entries.values()].map(({ key, value }) => {
    if (key === null) {
      throw new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(value)}`);
    }
    return [keyText(key), value] as const;
  });
  // sigs.k8s.io/yaml converts to JSON first, which sorts the keys.
  named.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (const [key, value] of named) object[key] = value;
  return object;
}

/** Rejects numbers that JSON cannot represent. */
function toJson(value: Scalar): JsonValue {
  if (typeof value !== 'number') return value;
  if (Object.is(value, -0)) return new RawNumber('-0');
  if (Number.isFinite(value)) return value;
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new YamlError(`json: unsupported value: ${name}`);
}

/** An abbreviated key, for an error message. */
function shallow(node: YamlNode, depth = 0): JsonValue {
  if (node.kind === 'alias') return shallow(node.target, depth);
  if (node.kind === 'scalar') return toJson(readScalar(node));
  if (depth > 3) return '…';
  if (node.kind === 'list') return node.items.slice(0, 10).map((item) => shallow(item, depth + 1));
  const object = nullPrototypeObject();
  for (let i = 0; i < Math.min(node.parts.length, 20); i += 2) {
    const key = node.parts[i]!;
    object[key.kind === 'scalar' ? key.text : '…'] = shallow(node.parts[i + 1]!, depth + 1);
  }
  return object;
}
