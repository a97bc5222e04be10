// YAML parser: parses the tokens of the first document to nodes, with the grammar and the error messages of go-yaml.
import {
  emptyNode,
  type MappingNode,
  type ScalarNode,
  type SequenceNode,
  scalarNode,
  type YamlNode,
} from './nodes.ts';
import { Scanner } from './scanner.ts';
import type { YamlToken } from './tokens.ts';
import { type Mark, parserError, YamlError } from './yaml-error.ts';

/** A collection whose end has not been parsed yet. */
interface OpenCollection {
  readonly node: SequenceNode | MappingNode;
  readonly style:
    | 'block-sequence'
    | 'indentless-sequence'
    | 'block-mapping'
    | 'flow-sequence'
    | 'flow-mapping'
    | 'flow-pair';
  readonly start: Mark;
  /** No entry has been parsed yet. */
  isFirst: boolean;
  /** Flow mapping: the current entry is a key without a value, such as `a` in `{a, b: c}`. */
  lacksValue: boolean;
}

/** Node properties: anchor and tag. */
interface Properties {
  anchor: string;
  tag: string;
  start: Mark | undefined;
}

const standardTagPrefix = 'tag:yaml.org,2002:';

/** Returns undefined for an empty stream. Parses without recursion: open collections are kept on a stack. */
export function parseDocument(text: string): YamlNode | undefined {
  return new Parser(text).parseDocument();
}

class Parser {
  readonly #scanner: Scanner;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #tagHandles = new Map<string, string>();
  readonly #openCollections: OpenCollection[] = [];
  #root: YamlNode | undefined;

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  parseDocument(): YamlNode | undefined {
    while (this.#scanner.peek().type === 'document-end') this.#scanner.take();
    if (this.#scanner.peek().type === 'stream-end') return undefined;
    this.#parseDirectives();
    const first = this.#scanner.peek();
    const isEmpty = ['document-start', 'document-end', 'directive', 'stream-end'].includes(first.type);
    if (isEmpty) return emptyNode(first.start);
    this.#parseNode('block');
    while (this.#openCollections.length > 0) this.#advance(this.#openCollections.at(-1)!);
    const next = this.#scanner.peek();
    if (!['document-start', 'document-end', 'stream-end'].includes(next.type)) {
      throw parserError('did not find expected <document start>', undefined, next.start);
    }
    return this.#root;
  }

  #parseDirectives(): void {
    let directiveCount = 0;
    let hasVersion = false;
    for (let token = this.#scanner.peek(); token.type === 'directive'; token = this.#scanner.peek()) {
      directiveCount++;
      if (token.value === 'YAML') {
        if (hasVersion) throw parserError('found duplicate %YAML directive', undefined, token.start);
        hasVersion = true;
        if (token.suffix !== '1.1')
          throw parserError('found incompatible YAML document', undefined, token.start);
      } else {
        const [handle = '', prefix = ''] = token.suffix.split(/[ \t]+/);
        if (this.#tagHandles.has(handle))
          throw parserError('found duplicate %TAG directive', undefined, token.start);
        this.#tagHandles.set(handle, prefix);
      }
      this.#scanner.take();
    }
    const { type, start } = this.#scanner.peek();
    if (type === 'document-start') this.#scanner.take();
    else if (directiveCount > 0)
      throw parserError('did not find expected <document start>', undefined, start);
  }

  /** Adds a node to the innermost open collection, or makes it the root. */
  #addNode(node: YamlNode): void {
    const parent = this.#openCollections.at(-1);
    if (!parent) this.#root = node;
    else if (parent.node.kind === 'sequence') parent.node.items.push(node);
    else parent.node.keysAndValues.push(node);
  }

  #addEmptyNode(mark: Mark): void {
    this.#addNode(emptyNode(mark));
  }

  /**
   * Parses a scalar or alias, or opens a collection. As the value of a block mapping, a sequence need not be indented
   * (`block-or-indentless-sequence`).
   */
  #parseNode(context: 'block' | 'flow' | 'block-or-indentless-sequence'): void {
    const token = this.#scanner.peek();
    if (token.type === 'alias') {
      this.#scanner.take();
      const target = this.#anchors.get(token.value);
      if (!target) throw new YamlError(`yaml: unknown anchor '${token.value}' referenced`);
      this.#addNode({ kind: 'alias', name: token.value, target, line: token.start.line });
      return;
    }
    const properties = this.#parseProperties();
    const next = this.#scanner.peek();
    const start = properties.start ?? next.start;
    if (context === 'block-or-indentless-sequence' && next.type === 'block-entry') {
      this.#openCollection('indentless-sequence', next, start, properties);
      return;
    }
    switch (next.type) {
      case 'scalar':
        this.#scanner.take();
        this.#addAnchoredNode(scalarNode(next, properties.tag, start), properties);
        return;
      case 'flow-sequence-start':
        this.#openCollection('flow-sequence', next, start, properties);
        return;
      case 'flow-mapping-start':
        this.#openCollection('flow-mapping', next, start, properties);
        return;
      case 'block-sequence-start':
        if (context !== 'flow') {
          this.#openCollection('block-sequence', next, start, properties);
          return;
        }
        break;
      case 'block-mapping-start':
        if (context !== 'flow') {
          this.#openCollection('block-mapping', next, start, properties);
          return;
        }
        break;
    }
    // An anchor or tag without content is an empty scalar.
    if (properties.start) {
      const isUntaggedPlain = properties.tag === '';
      const node: ScalarNode = {
        kind: 'scalar',
        text: '',
        isUntaggedPlain,
        tag: properties.tag,
        line: start.line,
      };
      this.#addAnchoredNode(node, properties);
      return;
    }
    throw parserError('did not find expected node content', start, next.start);
  }

  #parseProperties(): Properties {
    const properties: Properties = { anchor: '', tag: '', start: undefined };
    for (let token = this.#scanner.peek(); ; token = this.#scanner.peek()) {
      if (token.type === 'anchor' && properties.anchor === '') properties.anchor = token.value;
      else if (token.type === 'tag' && properties.tag === '') properties.tag = this.#resolveTag(token);
      else return properties;
      properties.start ??= token.start;
      this.#scanner.take();
    }
  }

  #resolveTag({ value: handle, suffix, start }: YamlToken): string {
    if (handle === '') return suffix;
    const prefix =
      this.#tagHandles.get(handle) ??
      (handle === '!!' ? standardTagPrefix : handle === '!' ? '!' : undefined);
    if (prefix === undefined) throw parserError('found undefined tag handle', start, start);
    return prefix + suffix;
  }

  #addAnchoredNode(node: YamlNode, { anchor }: Properties): void {
    if (anchor !== '') this.#anchors.set(anchor, node);
    this.#addNode(node);
  }

  #openCollection(
    style: OpenCollection['style'],
    token: YamlToken,
    start: Mark,
    properties: Properties,
  ): void {
    const { line } = start;
    const isMapping = style === 'block-mapping' || style === 'flow-mapping';
    const node: SequenceNode | MappingNode = isMapping
      ? { kind: 'mapping', keysAndValues: [], line }
      : { kind: 'sequence', items: [], line };
    this.#addAnchoredNode(node, properties);
    this.#openCollections.push({ node, style, start: token.start, isFirst: true, lacksValue: false });
    if (style !== 'indentless-sequence') this.#scanner.take();
  }

  #closeCollection(): void {
    this.#openCollections.pop();
  }

  /** Parses the next key, value or item of the innermost open collection, or closes it. */
  #advance(open: OpenCollection): void {
    switch (open.style) {
      case 'block-sequence':
        this.#parseBlockSequenceEntry(open);
        return;
      case 'indentless-sequence':
        this.#parseIndentlessSequenceEntry();
        return;
      case 'block-mapping':
        this.#parseBlockMappingKeyOrValue(open);
        return;
      case 'flow-sequence':
        this.#parseFlowSequenceEntry(open);
        return;
      case 'flow-mapping':
        this.#parseFlowMappingKeyOrValue(open);
        return;
      case 'flow-pair':
        this.#parseFlowPairKeyOrValue(open);
        return;
    }
  }

  #parseBlockSequenceEntry({ start }: OpenCollection): void {
    const token = this.#scanner.take();
    if (token.type === 'block-end') {
      this.#closeCollection();
      return;
    }
    if (token.type !== 'block-entry') {
      throw parserError("did not find expected '-' indicator", start, token.start);
    }
    const { type } = this.#scanner.peek();
    if (type === 'block-entry' || type === 'block-end') this.#addEmptyNode(token.end);
    else this.#parseNode('block');
  }

  #parseIndentlessSequenceEntry(): void {
    if (this.#scanner.peek().type !== 'block-entry') {
      this.#closeCollection();
      return;
    }
    const token = this.#scanner.take();
    const { type } = this.#scanner.peek();
    if (type === 'block-entry' || type === 'key' || type === 'value' || type === 'block-end') {
      this.#addEmptyNode(token.end);
    } else {
      this.#parseNode('block');
    }
  }

  #parseBlockMappingKeyOrValue({ node, start }: OpenCollection): void {
    const isValue = (node as MappingNode).keysAndValues.length % 2 === 1;
    const token = this.#scanner.peek();
    if (isValue) {
      if (token.type !== 'value') {
        this.#addEmptyNode(token.start);
        return;
      }
      this.#scanner.take();
    } else if (token.type === 'key') {
      this.#scanner.take();
    } else if (token.type === 'block-end') {
      this.#scanner.take();
      this.#closeCollection();
      return;
    } else {
      throw parserError('did not find expected key', start, token.start);
    }
    const { type } = this.#scanner.peek();
    if (type === 'key' || type === 'value' || type === 'block-end') this.#addEmptyNode(token.end);
    else this.#parseNode('block-or-indentless-sequence');
  }

  #parseFlowSequenceEntry(open: OpenCollection): void {
    let token = this.#scanner.peek();
    if (token.type !== 'flow-sequence-end' && !open.isFirst) {
      if (token.type !== 'flow-entry') {
        throw parserError("did not find expected ',' or ']'", open.start, token.start);
      }
      this.#scanner.take();
      token = this.#scanner.peek();
    }
    open.isFirst = false;
    if (token.type === 'flow-sequence-end') {
      this.#scanner.take();
      this.#closeCollection();
      return;
    }
    if (token.type !== 'key') {
      this.#parseNode('flow');
      return;
    }
    // `[a: b]` is a sequence with a mapping of a single pair.
    this.#scanner.take();
    const node: MappingNode = { kind: 'mapping', keysAndValues: [], line: token.start.line };
    this.#addNode(node);
    this.#openCollections.push({
      node,
      style: 'flow-pair',
      start: token.start,
      isFirst: true,
      lacksValue: false,
    });
  }

  #parseFlowPairKeyOrValue({ node }: OpenCollection): void {
    const { keysAndValues } = node as MappingNode;
    const token = this.#scanner.peek();
    if (keysAndValues.length === 2) {
      this.#closeCollection();
      return;
    }
    if (keysAndValues.length === 0) {
      if (['value', 'flow-entry', 'flow-sequence-end'].includes(token.type)) this.#addEmptyNode(token.start);
      else this.#parseNode('flow');
      return;
    }
    if (token.type !== 'value') {
      this.#addEmptyNode(token.start);
      return;
    }
    this.#scanner.take();
    const next = this.#scanner.peek();
    if (next.type === 'flow-entry' || next.type === 'flow-sequence-end') this.#addEmptyNode(next.start);
    else this.#parseNode('flow');
  }

  #parseFlowMappingKeyOrValue(open: OpenCollection): void {
    const { keysAndValues } = open.node as MappingNode;
    let token = this.#scanner.peek();
    if (keysAndValues.length % 2 === 1) {
      if (token.type !== 'value' || open.lacksValue) {
        this.#addEmptyNode(token.start);
        return;
      }
      this.#scanner.take();
      const next = this.#scanner.peek();
      if (next.type === 'flow-entry' || next.type === 'flow-mapping-end') this.#addEmptyNode(next.start);
      else this.#parseNode('flow');
      return;
    }
    if (token.type !== 'flow-mapping-end' && !open.isFirst) {
      if (token.type !== 'flow-entry') {
        throw parserError("did not find expected ',' or '}'", open.start, token.start);
      }
      this.#scanner.take();
      token = this.#scanner.peek();
    }
    open.isFirst = false;
    if (token.type === 'flow-mapping-end') {
      this.#scanner.take();
      this.#closeCollection();
      return;
    }
    open.lacksValue = token.type !== 'key';
    if (token.type === 'key') {
      this.#scanner.take();
      const next = this.#scanner.peek();
      if (['value', 'flow-entry', 'flow-mapping-end'].includes(next.type)) {
        this.#addEmptyNode(next.start);
        return;
      }
      this.#parseNode('flow');
      return;
    }
    this.#parseNode('flow');
  }
}
