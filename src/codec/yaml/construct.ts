// YAML constructor: constructs the JSON value of a document from its nodes, as sigs.k8s.io/yaml does.
import { type JsonObject, type JsonValue, nullPrototypeObject, RawNumber } from '../json/json-value.ts';
import type { AliasNode, MappingNode, ScalarNode, SequenceNode, YamlNode } from './nodes.ts';
import { constructScalar, goSyntaxOfYaml, jsonKey, type YamlScalar } from './scalar-value.ts';
import { YamlError } from './yaml-error.ts';

export interface ConstructedYaml {
  readonly value: JsonValue;
  /** Messages of duplicate keys: `line 3: key "a" already set in map`. */
  readonly duplicateKeys: readonly string[];
}

/** The entries of a mapping by type and text of the key: 1 and "1" are different keys in YAML. */
type Entries = Map<string, { readonly key: YamlScalar; readonly value: JsonValue }>;

/** A collection under construction. Frames are kept on a stack, so nesting needs no recursion. */
type Frame = SequenceFrame | MappingFrame;

interface SequenceFrame {
  readonly node: SequenceNode;
  /** The alias through which the document refers to the node. */
  readonly alias: AliasNode | undefined;
  /** The index of the next item to construct. */
  nextIndex: number;
  readonly items: JsonValue[];
}

interface MappingFrame {
  readonly node: MappingNode;
  readonly alias: AliasNode | undefined;
  /** The index of the next key in `keysAndValues`. */
  nextIndex: number;
  readonly entries: Entries;
  /** Whether a merge key (`<<`) adds the entries to the enclosing mapping. */
  readonly isMerged: boolean;
}

export function construct(root: YamlNode): ConstructedYaml {
  return new Constructor().run(root);
}

const maxDuplicateMessages = 100;

class Constructor {
  readonly #duplicateKeys: string[] = [];
  readonly #frames: Frame[] = [];
  /** Aliases whose targets are under construction: an alias to itself would never end. */
  readonly #openAliases = new Set<AliasNode>();
  #nodeCount = 0;
  #nodeCountInAliases = 0;
  #result: JsonValue = null;

  run(root: YamlNode): ConstructedYaml {
    this.#constructNode(root);
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      if ('items' in frame) this.#advanceSequence(frame);
      else this.#advanceMapping(frame);
    }
    return { value: this.#result, duplicateKeys: this.#duplicateKeys };
  }

  /** Constructs a scalar, or pushes a frame for a collection. */
  #constructNode(source: YamlNode): void {
    const { node, alias } = this.#resolve(source);
    if (node.kind === 'scalar') {
      this.#addToParent(toJson(constructScalar(node)));
      if (alias) this.#openAliases.delete(alias);
    } else if (node.kind === 'sequence') {
      this.#frames.push({ node, alias, nextIndex: 0, items: [] });
    } else {
      this.#frames.push({ node, alias, nextIndex: 0, entries: new Map(), isMerged: false });
    }
  }

  /** Counts a node, and resolves an alias to its target. */
  #resolve(source: YamlNode): { node: Exclude<YamlNode, AliasNode>; alias: AliasNode | undefined } {
    this.#count();
    if (source.kind !== 'alias') return { node: source, alias: undefined };
    if (this.#openAliases.has(source))
      throw new YamlError(`yaml: anchor '${source.name}' value contains itself`);
    this.#openAliases.add(source);
    this.#count();
    return { node: source.target as Exclude<YamlNode, AliasNode>, alias: source };
  }

  /** Limits the share of nodes that come from aliases, against documents that expand exponentially. */
  #count(): void {
    this.#nodeCount++;
    if (this.#openAliases.size > 0) this.#nodeCountInAliases++;
    if (this.#nodeCountInAliases <= 100 || this.#nodeCount <= 1000) return;
    if (this.#nodeCountInAliases / this.#nodeCount > allowedAliasRatio(this.#nodeCount)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }

  #addToParent(value: JsonValue): void {
    const frame = this.#frames.at(-1);
    if (!frame) this.#result = value;
    else if ('items' in frame) frame.items.push(value);
    else {
      const { keysAndValues } = frame.node;
      // `nextIndex` is already after the entry.
      const valueIndex = frame.nextIndex - 1;
      this.#setEntry(frame.entries, keysAndValues[valueIndex - 1]!, keysAndValues[valueIndex]!, value);
    }
  }

  #setEntry(entries: Entries, keyNode: YamlNode, valueNode: YamlNode, value: JsonValue): void {
    const key = this.#keyOf(keyNode);
    const id = `${typeof key} ${key}`;
    if (entries.has(id) && this.#duplicateKeys.length < maxDuplicateMessages) {
      this.#duplicateKeys.push(`line ${valueNode.line + 1}: key ${goSyntaxOfYaml(key)} already set in map`);
    }
    entries.set(id, { key, value });
  }

  #keyOf(node: YamlNode): YamlScalar {
    return constructScalar((node.kind === 'alias' ? node.target : node) as ScalarNode);
  }

  #popFrame(frame: Frame): void {
    this.#frames.pop();
    if (frame.alias) this.#openAliases.delete(frame.alias);
  }

  #advanceSequence(frame: SequenceFrame): void {
    const item = frame.node.items[frame.nextIndex++];
    if (item) {
      this.#constructNode(item);
      return;
    }
    this.#popFrame(frame);
    this.#addToParent(frame.items);
  }

  #advanceMapping(frame: MappingFrame): void {
    const { keysAndValues } = frame.node;
    const key = keysAndValues[frame.nextIndex];
    const value = keysAndValues[frame.nextIndex + 1];
    frame.nextIndex += 2;
    if (key && value) {
      if (isMergeKey(key)) {
        this.#merge(value, frame.entries);
        return;
      }
      this.#assertScalarKey(key);
      this.#constructNode(value);
      return;
    }
    this.#popFrame(frame);
    if (!frame.isMerged) this.#addToParent(toJsonObject(frame.entries));
  }

  #assertScalarKey(source: YamlNode): void {
    this.#count();
    const key = source.kind === 'alias' ? source.target : source;
    if (key.kind !== 'scalar')
      throw new YamlError(`yaml: invalid map key: ${goSyntaxOfYaml(abbreviate(key))}`);
  }

  /** Merges the mappings under a merge key into the entries of the mapping that contains it. */
  #merge(value: YamlNode, entries: Entries): void {
    const sources = value.kind === 'sequence' ? value.items : [value];
    const isMapping = (node: YamlNode) => (node.kind === 'alias' ? node.target : node).kind === 'mapping';
    if (!sources.every(isMapping)) {
      throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
    }
    // The frame that is pushed last is constructed first, and earlier sources overwrite its entries.
    for (const source of sources) {
      const { node, alias } = this.#resolve(source);
      this.#frames.push({ node: node as MappingNode, alias, nextIndex: 0, entries, isMerged: true });
    }
  }
}

const isMergeKey = (node: YamlNode) => node.kind === 'scalar' && node.isUntaggedPlain && node.text === '<<';

/** Node counts between which the allowed share of aliased nodes falls from 0.99 to 0.1, as in go-yaml. */
const aliasRatioRangeLow = 400_000;
const aliasRatioRangeHigh = 4_000_000;

function allowedAliasRatio(nodeCount: number): number {
  if (nodeCount <= aliasRatioRangeLow) return 0.99;
  if (nodeCount >= aliasRatioRangeHigh) return 0.1;
  return 0.99 - (0.89 * (nodeCount - aliasRatioRangeLow)) / (aliasRatioRangeHigh - aliasRatioRangeLow);
}

function toJsonObject(entries: Entries): JsonObject {
  const object = nullPrototypeObject();
  const keyedValues = [...entries.values()].map(({ key, value }) => {
    if (key === null) {
      throw new YamlError(
        `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntaxOfYaml(value)}`,
      );
    }
    return [jsonKey(key), value] as const;
  });
  // sigs.k8s.io/yaml converts to JSON first, which sorts the keys.
  keyedValues.sort(([left], [right]) => compareText(left, right));
  for (const [key, value] of keyedValues) object[key] = value;
  return object;
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Throws for numbers that JSON cannot represent. */
function toJson(value: YamlScalar): JsonValue {
  if (typeof value !== 'number') return value;
  if (Object.is(value, -0)) return new RawNumber('-0');
  if (Number.isFinite(value)) return value;
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new YamlError(`json: unsupported value: ${name}`);
}

/** An abbreviated key for an error message. */
function abbreviate(node: YamlNode, depth = 0): JsonValue {
  if (node.kind === 'alias') return abbreviate(node.target, depth);
  if (node.kind === 'scalar') return toJson(constructScalar(node));
  if (depth > 3) return '…';
  if (node.kind === 'sequence') return node.items.slice(0, 10).map((item) => abbreviate(item, depth + 1));
  const object = nullPrototypeObject();
  for (let i = 0; i < Math.min(node.keysAndValues.length, 20); i += 2) {
    const key = node.keysAndValues[i]!;
    object[key.kind === 'scalar' ? key.text : '…'] = abbreviate(node.keysAndValues[i + 1]!, depth + 1);
  }
  return object;
}
