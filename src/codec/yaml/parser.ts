// YAML parser: turns the scanner's tokens into the nodes of the first document.
import {
  emptyNode,
  type ListNode,
  type MapNode,
  type ScalarNode,
  scalarNode,
  type YamlNode,
} from './nodes.ts';
import { Scanner } from './scanner.ts';
import type { YamlToken } from './tokens.ts';
import { type Mark, structureError, YamlError } from './yaml-error.ts';

/** A collection that is still open. */
interface Open {
  readonly node: ListNode | MapNode;
  readonly form: 'block-list' | 'indentless-list' | 'block-map' | 'flow-list' | 'flow-map' | 'flow-pair';
  readonly start: Mark;
  isFirst: boolean;
  /** The key was not followed by a possible colon: its value is null. */
  lacksValue: boolean;
}

/** Anchor and tag of a node. */
interface Properties {
  anchor: string;
  tag: string;
  start: Mark | undefined;
}

const standardTags = 'tag:yaml.org,2002:';

/** Parses the first document without recursion: nesting is kept on an explicit stack. */
export function parseDocument(text: string): YamlNode | undefined {
  return new Parser(text).document();
}

class Parser {
  readonly #scanner: Scanner;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #handles = new Map<string, string>();
  readonly #open: Open[] = [];
  #root: YamlNode | undefined;

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  document(): YamlNode | undefined {
    while (this.#scanner.peek().type === 'document-end') this.#scanner.take();
    if (this.#scanner.peek().type === 'stream-end') return undefined;
    this.#readDirectives();
    const first = this.#scanner.peek();
    const isEmpty = ['document-start', 'document-end', 'directive', 'stream-end'].includes(first.type);
    if (isEmpty) return emptyNode(first.start);
    this.#node('block');
    while (this.#open.length > 0) this.#advance(this.#open.at(-1)!);
    const next = this.#scanner.peek();
    if (!['document-start', 'document-end', 'stream-end'].includes(next.type)) {
      throw structureError('did not find expected <document start>', undefined, next.start);
    }
    return this.#root;
  }

  #readDirectives(): void {
    let directives = 0;
    let hasVersion = false;
    for (let token = this.#scanner.peek(); token.type === 'directive'; token = this.#scanner.peek()) {
      directives++;
      if (token.value === 'YAML') {
        if (hasVersion) throw structureError('found duplicate %YAML directive', undefined, token.start);
        hasVersion = true;
        if (token.suffix !== '1.1')
          throw structureError('found incompatible YAML document', undefined, token.start);
      } else {
        const [handle = '', prefix = ''] = token.suffix.split(/[ \t]+/);
        if (this.#handles.has(handle))
          throw structureError('found duplicate %TAG directive', undefined, token.start);
        this.#handles.set(handle, prefix);
      }
      this.#scanner.take();
    }
    const { type, start } = this.#scanner.peek();
    if (type === 'document-start') this.#scanner.take();
    else if (directives > 0) throw structureError('did not find expected <document start>', undefined, start);
  }

  /** Adds a node to the innermost open collection. */
  #put(node: YamlNode): void {
    const around = this.#open.at(-1);
    if (!around) this.#root = node;
    else if (around.node.kind === 'list') around.node.items.push(node);
    else around.node.parts.push(node);
  }

  #putEmpty(mark: Mark): void {
    this.#put(emptyNode(mark));
  }

  /** Parses a scalar or alias, or opens a collection. */
  #node(context: 'block' | 'flow' | 'block-or-list'): void {
    const token = this.#scanner.peek();
    if (token.type === 'alias') {
      this.#scanner.take();
      const target = this.#anchors.get(token.value);
      if (!target) throw new YamlError(`yaml: unknown anchor '${token.value}' referenced`);
      this.#put({ kind: 'alias', name: token.value, target, line: token.start.line });
      return;
    }
    const properties = this.#properties();
    const next = this.#scanner.peek();
    const start = properties.start ?? next.start;
    if (context === 'block-or-list' && next.type === 'block-entry') {
      this.#begin('indentless-list', next, start, properties);
      return;
    }
    switch (next.type) {
      case 'scalar':
        this.#scanner.take();
        this.#finish(scalarNode(next, properties.tag, start), properties);
        return;
      case 'flow-sequence-start':
        this.#begin('flow-list', next, start, properties);
        return;
      case 'flow-mapping-start':
        this.#begin('flow-map', next, start, properties);
        return;
      case 'block-sequence-start':
        if (context !== 'flow') {
          this.#begin('block-list', next, start, properties);
          return;
        }
        break;
      case 'block-mapping-start':
        if (context !== 'flow') {
          this.#begin('block-map', next, start, properties);
          return;
        }
        break;
    }
    if (properties.start) {
      const isPlain = properties.tag === '';
      const node: ScalarNode = { kind: 'scalar', text: '', isPlain, tag: properties.tag, line: start.line };
      this.#finish(node, properties);
      return;
    }
    throw structureError('did not find expected node content', start, next.start);
  }

  #properties(): Properties {
    const properties: Properties = { anchor: '', tag: '', start: undefined };
    for (let token = this.#scanner.peek(); ; token = this.#scanner.peek()) {
      if (token.type === 'anchor' && properties.anchor === '') properties.anchor = token.value;
      else if (token.type === 'tag' && properties.tag === '') properties.tag = this.#tagOf(token);
      else return properties;
      properties.start ??= token.start;
      this.#scanner.take();
    }
  }

  #tagOf({ value: handle, suffix, start }: YamlToken): string {
    if (handle === '') return suffix;
    const prefix =
      this.#handles.get(handle) ?? (handle === '!!' ? standardTags : handle === '!' ? '!' : undefined);
    if (prefix === undefined) throw structureError('found undefined tag handle', start, start);
    return prefix + suffix;
  }

  #finish(node: YamlNode, { anchor }: Properties): void {
    if (anchor !== '') this.#anchors.set(anchor, node);
    this.#put(node);
  }

  #begin(form: Open['form'], token: YamlToken, start: Mark, properties: Properties): void {
    const { line } = start;
    const isMap = form === 'block-map' || form === 'flow-map';
    const node: ListNode | MapNode = isMap
      ? { kind: 'map', parts: [], line }
      : { kind: 'list', items: [], line };
    this.#finish(node, properties);
    this.#open.push({ node, form, start: token.start, isFirst: true, lacksValue: false });
    if (form !== 'indentless-list') this.#scanner.take();
  }

  #close(): void {
    this.#open.pop();
  }

  #advance(open: Open): void {
    switch (open.form) {
      case 'block-list':
        this.#blockListEntry(open);
        return;
      case 'indentless-list':
        this.#indentlessEntry();
        return;
      case 'block-map':
        this.#blockMapPart(open);
        return;
      case 'flow-list':
        this.#flowListEntry(open);
        return;
      case 'flow-map':
        this.#flowMapPart(open);
        return;
      case 'flow-pair':
        this.#flowPairPart(open);
        return;
    }
  }

  #blockListEntry({ start }: Open): void {
    const token = this.#scanner.take();
    if (token.type === 'block-end') {
      this.#close();
      return;
    }
    if (token.type !== 'block-entry') {
      throw structureError("did not find expected '-' indicator", start, token.start);
    }
    const { type } = this.#scanner.peek();
    if (type === 'block-entry' || type === 'block-end') this.#putEmpty(token.end);
    else this.#node('block');
  }

  #indentlessEntry(): void {
    if (this.#scanner.peek().type !== 'block-entry') {
      this.#close();
      return;
    }
    const token = this.#scanner.take();
    const { type } = this.#scanner.peek();
    if (type === 'block-entry' || type === 'key' || type === 'value' || type === 'block-end') {
      this.#putEmpty(token.end);
    } else {
      this.#node('block');
    }
  }

  #blockMapPart({ node, start }: Open): void {
    const isValue = (node as MapNode).parts.length % 2 === 1;
    const token = this.#scanner.peek();
    if (isValue) {
      if (token.type !== 'value') {
        this.#putEmpty(token.start);
        return;
      }
      this.#scanner.take();
    } else if (token.type === 'key') {
      this.#scanner.take();
    } else if (token.type === 'block-end') {
      this.#scanner.take();
      this.#close();
      return;
    } else {
      throw structureError('did not find expected key', start, token.start);
    }
    const { type } = this.#scanner.peek();
    if (type === 'key' || type === 'value' || type === 'block-end') this.#putEmpty(token.end);
    else this.#node('block-or-list');
  }

  #flowListEntry(open: Open): void {
    let token = this.#scanner.peek();
    if (token.type !== 'flow-sequence-end' && !open.isFirst) {
      if (token.type !== 'flow-entry') {
        throw structureError("did not find expected ',' or ']'", open.start, token.start);
      }
      this.#scanner.take();
      token = this.#scanner.peek();
    }
    open.isFirst = false;
    if (token.type === 'flow-sequence-end') {
      this.#scanner.take();
      this.#close();
      return;
    }
    if (token.type !== 'key') {
      this.#node('flow');
      return;
    }
    // `[a: b]` is a list with one map.
    this.#scanner.take();
    const node: MapNode = { kind: 'map', parts: [], line: token.start.line };
    this.#put(node);
    this.#open.push({ node, form: 'flow-pair', start: token.start, isFirst: true, lacksValue: false });
  }

  #flowPairPart({ node }: Open): void {
    const { parts } = node as MapNode;
    const token = this.#scanner.peek();
    if (parts.length === 2) {
      this.#close();
      return;
    }
    if (parts.length === 0) {
      if (['value', 'flow-entry', 'flow-sequence-end'].includes(token.type)) this.#putEmpty(token.start);
      else this.#node('flow');
      return;
    }
    if (token.type !== 'value') {
      this.#putEmpty(token.start);
      return;
    }
    this.#scanner.take();
    const next = this.#scanner.peek();
    if (next.type === 'flow-entry' || next.type === 'flow-sequence-end') this.#putEmpty(next.start);
    else this.#node('flow');
  }

  #flowMapPart(open: Open): void {
    const { parts } = open.node as MapNode;
    let token = this.#scanner.peek();
    if (parts.length % 2 === 1) {
      if (token.type !== 'value' || open.lacksValue) {
        this.#putEmpty(token.start);
        return;
      }
      this.#scanner.take();
      const next = this.#scanner.peek();
      if (next.type === 'flow-entry' || next.type === 'flow-mapping-end') this.#putEmpty(next.start);
      else this.#node('flow');
      return;
    }
    if (token.type !== 'flow-mapping-end' && !open.isFirst) {
      if (token.type !== 'flow-entry') {
        throw structureError("did not find expected ',' or '}'", open.start, token.start);
      }
      this.#scanner.take();
      token = this.#scanner.peek();
    }
    open.isFirst = false;
    if (token.type === 'flow-mapping-end') {
      this.#scanner.take();
      this.#close();
      return;
    }
    open.lacksValue = token.type !== 'key';
    if (token.type === 'key') {
      this.#scanner.take();
      const next = this.#scanner.peek();
      if (['value', 'flow-entry', 'flow-mapping-end'].includes(next.type)) {
        this.#putEmpty(next.start);
        return;
      }
      this.#node('flow');
      return;
    }
    this.#node('flow');
  }
}
