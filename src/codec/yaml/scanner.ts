// YAML scanner: turns text into tokens.
import { Characters, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isEnd } from './characters.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-properties.ts';
import { type Scanned, scanBlock, scanPlain, scanQuoted } from './scan-scalar.ts';
import type { TokenType, YamlToken } from './tokens.ts';
import { type Mark, scanError, YamlError } from './yaml-error.ts';

/** The nesting limit of go-yaml. */
const maxNesting = 10_000;
/** Maximum length of a simple key, which must be on one line. */
const maxSimpleKeyLength = 1024;

/** A position where a simple key may start. A later colon confirms it. */
interface PossibleKey {
  /** Flow nesting level. */
  readonly level: number;
  /** Number of tokens before it. */
  readonly token: number;
  readonly mark: Mark;
  /** It must be a key, because it is at the indentation of a block mapping. */
  readonly required: boolean;
}

/**
 * Follows the YAML specification: indentation becomes tokens that open and close blocks, and a key token is inserted
 * once a colon shows that a key has started.
 */
export class Scanner {
  readonly #characters: Characters;
  #tokens: YamlToken[] = [];
  #head = 0;
  #taken = 0;
  #ended = false;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  /** From `#oldestKey` on, in text order; at most one per level. */
  #keys: PossibleKey[] = [];
  #oldestKey = 0;
  #keyAllowed = true;

  constructor(text: string) {
    this.#characters = new Characters(text);
  }

  /** The next token, without consuming it. */
  peek(): YamlToken {
    while (this.#needsMore()) this.#fetch();
    return this.#tokens[this.#head]!;
  }

  take(): YamlToken {
    const token = this.peek();
    this.#head++;
    this.#taken++;
    if (this.#head === this.#tokens.length) {
      this.#tokens = [];
      this.#head = 0;
    }
    return token;
  }

  /** A token is final only once no earlier one can become a key. */
  #needsMore(): boolean {
    if (this.#ended) return false;
    if (this.#head === this.#tokens.length) return true;
    this.#dropStaleKeys();
    return this.#keys[this.#oldestKey]?.token === this.#taken;
  }

  #push(type: TokenType, start: Mark, rest: Partial<YamlToken> = {}, at = this.#tokens.length): void {
    const token = {
      type,
      start,
      end: this.#characters.mark(),
      value: '',
      suffix: '',
      isPlain: false,
      ...rest,
    };
    if (at === this.#tokens.length) this.#tokens.push(token);
    else this.#tokens.splice(at, 0, token);
  }

  #fetch(): void {
    this.#skipToToken();
    this.#dropStaleKeys();
    const { column } = this.#characters;
    this.#unrollIndent(column);
    const c = this.#characters.at();
    if (isEnd(c)) {
      this.#fetchEnd();
      return;
    }
    if (column === 0 && c === 0x25) {
      this.#fetchDirective();
      return;
    }
    if (this.#characters.isDocumentMark(0x2d)) {
      this.#fetchDocumentMark('document-start');
      return;
    }
    if (this.#characters.isDocumentMark(0x2e)) {
      this.#fetchDocumentMark('document-end');
      return;
    }
    const inFlow = this.#flowLevel > 0;
    const standsAlone = isBlankOrEnd(this.#characters.at(1));
    switch (String.fromCharCode(c)) {
      case '[':
        this.#openFlow('flow-sequence-start');
        return;
      case '{':
        this.#openFlow('flow-mapping-start');
        return;
      case ']':
        this.#closeFlow('flow-sequence-end');
        return;
      case '}':
        this.#closeFlow('flow-mapping-end');
        return;
      case ',':
        this.#fetchFlowEntry();
        return;
      case '*':
        this.#fetchAnchor('alias');
        return;
      case '&':
        this.#fetchAnchor('anchor');
        return;
      case '!':
        this.#fetchTag();
        return;
      case "'":
      case '"':
        this.#fetchScalar(scanQuoted);
        return;
      case '-':
        if (standsAlone) {
          this.#fetchBlockEntry();
          return;
        }
        break;
      case '?':
        if (inFlow || standsAlone) {
          this.#fetchKey();
          return;
        }
        break;
      case ':':
        if (inFlow || standsAlone) {
          this.#fetchValue();
          return;
        }
        break;
      case '|':
      case '>':
        if (!inFlow) {
          this.#fetchScalar((characters) => scanBlock(characters, this.#indent));
          return;
        }
        break;
    }
    const cannotStart = isBlank(c) || '-?:,[]{}#&*!|>\'"%@`'.includes(String.fromCharCode(c));
    const isPlain = !cannotStart || (c === 0x2d && !standsAlone) || (!inFlow && (c === 0x3f || c === 0x3a));
    if (!isPlain) {
      throw scanError('found character that cannot start any token', this.#characters.mark());
    }
    this.#fetchScalar((characters) => scanPlain(characters, this.#indent + 1, inFlow), true);
  }

  #skipToToken(): void {
    const characters = this.#characters;
    for (;;) {
      if (characters.column === 0 && characters.at() === 0xfeff) {
        characters.skip();
        characters.lineStart = characters.index;
      }
      // Tabs are not indentation, but may separate tokens.
      while (
        characters.at() === 0x20 ||
        (characters.at() === 9 && (this.#flowLevel > 0 || !this.#keyAllowed))
      ) {
        characters.skip();
      }
      if (characters.at() === 0x23) while (!isBreakOrEnd(characters.at())) characters.skip();
      if (!isBreak(characters.at())) return;
      characters.takeBreak();
      if (this.#flowLevel === 0) this.#keyAllowed = true;
    }
  }

  /** A simple key cannot span lines or exceed the maximum length. */
  #dropStaleKeys(): void {
    const { line, index } = this.#characters;
    for (let key = this.#keys[this.#oldestKey]; key; key = this.#keys[++this.#oldestKey]) {
      if (key.mark.line === line && key.mark.index + maxSimpleKeyLength >= index) return;
      this.#rejectIfRequired(key);
    }
    this.#keys = [];
    this.#oldestKey = 0;
  }

  /** Removes and returns the possible key of this level. */
  #takeKey(): PossibleKey | undefined {
    if (this.#keys.length === this.#oldestKey || this.#keys.at(-1)!.level !== this.#flowLevel)
      return undefined;
    return this.#keys.pop();
  }

  #dropKey(): void {
    this.#rejectIfRequired(this.#takeKey());
  }

  #rejectIfRequired(key: PossibleKey | undefined): void {
    if (key?.required) throw scanError("could not find expected ':'", key.mark, this.#characters.mark());
  }

  #savePossibleKey(): void {
    if (!this.#keyAllowed) return;
    this.#dropKey();
    this.#keys.push({
      level: this.#flowLevel,
      token: this.#taken + this.#tokens.length - this.#head,
      mark: this.#characters.mark(),
      required: this.#flowLevel === 0 && this.#indent === this.#characters.column,
    });
  }

  #rollIndent(column: number, type: TokenType, mark: Mark, at?: number): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > maxNesting) throw new YamlError(`yaml: exceeded max depth of ${maxNesting}`);
    this.#push(type, mark, { end: mark }, at);
  }

  #unrollIndent(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#push('block-end', this.#characters.mark());
      this.#indent = this.#indents.pop()!;
    }
  }

  #fetchEnd(): void {
    const characters = this.#characters;
    if (characters.column !== 0) {
      characters.line++;
      characters.lineStart = characters.index;
    }
    this.#unrollIndent(-1);
    this.#dropKey();
    this.#keyAllowed = false;
    this.#push('stream-end', characters.mark());
    this.#ended = true;
  }

  #fetchDocumentMark(type: TokenType): void {
    this.#unrollIndent(-1);
    this.#dropKey();
    this.#keyAllowed = false;
    const start = this.#characters.mark();
    this.#characters.skip(3);
    this.#push(type, start);
  }

  #openFlow(type: TokenType): void {
    this.#savePossibleKey();
    this.#flowLevel++;
    if (this.#flowLevel > maxNesting) throw new YamlError(`yaml: exceeded max depth of ${maxNesting}`);
    this.#keyAllowed = true;
    this.#fetchIndicator(type);
  }

  #closeFlow(type: TokenType): void {
    this.#dropKey();
    if (this.#flowLevel > 0) this.#flowLevel--;
    this.#keyAllowed = false;
    this.#fetchIndicator(type);
  }

  #fetchIndicator(type: TokenType): void {
    const start = this.#characters.mark();
    this.#characters.skip();
    this.#push(type, start);
  }

  #fetchFlowEntry(): void {
    this.#dropKey();
    this.#keyAllowed = true;
    this.#fetchIndicator('flow-entry');
  }

  #fetchBlockEntry(): void {
    if (this.#flowLevel === 0) {
      const mark = this.#characters.mark();
      if (!this.#keyAllowed) {
        throw scanError('block sequence entries are not allowed in this context', mark);
      }
      this.#rollIndent(mark.column, 'block-sequence-start', mark);
    }
    this.#dropKey();
    this.#keyAllowed = true;
    this.#fetchIndicator('block-entry');
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) {
      const mark = this.#characters.mark();
      if (!this.#keyAllowed) throw scanError('mapping keys are not allowed in this context', mark);
      this.#rollIndent(mark.column, 'block-mapping-start', mark);
    }
    this.#dropKey();
    this.#keyAllowed = this.#flowLevel === 0;
    this.#fetchIndicator('key');
  }

  #fetchValue(): void {
    const key = this.#takeKey();
    if (key) {
      const at = key.token - this.#taken + this.#head;
      this.#push('key', key.mark, { end: key.mark }, at);
      this.#rollIndent(key.mark.column, 'block-mapping-start', key.mark, at);
      this.#keyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        const mark = this.#characters.mark();
        if (!this.#keyAllowed) throw scanError('mapping values are not allowed in this context', mark);
        this.#rollIndent(mark.column, 'block-mapping-start', mark);
      }
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#fetchIndicator('value');
  }

  #fetchAnchor(type: 'alias' | 'anchor'): void {
    this.#savePossibleKey();
    this.#keyAllowed = false;
    const start = this.#characters.mark();
    this.#push(type, start, { value: scanAnchor(this.#characters) });
  }

  #fetchTag(): void {
    this.#savePossibleKey();
    this.#keyAllowed = false;
    const start = this.#characters.mark();
    this.#push('tag', start, scanTag(this.#characters, this.#flowLevel > 0));
  }

  #fetchScalar(scan: (characters: Characters) => Scanned, isPlain = false): void {
    this.#savePossibleKey();
    this.#keyAllowed = false;
    const start = this.#characters.mark();
    const { value, end, brokeLine } = scan(this.#characters);
    if (brokeLine) this.#keyAllowed = true;
    this.#push('scalar', start, { value, end, isPlain });
  }

  #fetchDirective(): void {
    this.#unrollIndent(-1);
    this.#dropKey();
    this.#keyAllowed = false;
    const start = this.#characters.mark();
    this.#push('directive', start, scanDirective(this.#characters));
  }
}
