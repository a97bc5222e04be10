// YAML scanner: scans text to tokens, with the algorithm of go-yaml.
import { Characters, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isEnd } from './characters.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-properties.ts';
import { type ScannedScalar, scanBlockScalar, scanPlainScalar, scanQuotedScalar } from './scan-scalar.ts';
import type { TokenType, YamlToken } from './tokens.ts';
import { type Mark, scannerError, YamlError } from './yaml-error.ts';

const TAB = 0x09;
const HASH = 0x23;
const PERCENT = 0x25;
const MINUS = 0x2d;
const POINT = 0x2e;
const COLON = 0x3a;
const QUESTION_MARK = 0x3f;
const BYTE_ORDER_MARK = 0xfeff;

/** The nesting limit of go-yaml. */
const maxNesting = 10_000;
/** The limit of the YAML specification for an implicit key, which must be on one line. */
const maxSimpleKeyLength = 1024;

/** A position at which a simple key may start; a later colon confirms it. */
interface PossibleSimpleKey {
  readonly flowLevel: number;
  /** The number of tokens before it. */
  readonly tokenNumber: number;
  readonly mark: Mark;
  /** It must be a key, because it is at the indentation of a block mapping. */
  readonly isRequired: boolean;
}

/**
 * Indentation becomes tokens that start and end block collections. A key token is inserted before a simple key when the
 * scanner finds the colon after it.
 */
export class Scanner {
  readonly #characters: Characters;
  /** Scanned tokens; those before `#nextToken` have been taken. */
  #tokens: YamlToken[] = [];
  #nextToken = 0;
  /** The number of tokens taken since the start of the stream. */
  #takenCount = 0;
  #isStreamEnd = false;
  /** The column of the innermost block collection, and of the enclosing ones; -1 outside of all. */
  #indent = -1;
  readonly #enclosingIndents: number[] = [];
  #flowLevel = 0;
  /** From `#oldestPossibleKey` on, in the order of the text; at most one per flow level. */
  #possibleKeys: PossibleSimpleKey[] = [];
  #oldestPossibleKey = 0;
  /** Whether a simple key may start at the cursor. */
  #simpleKeyAllowed = true;

  constructor(text: string) {
    this.#characters = new Characters(text);
  }

  /** The next token, without consuming it. */
  peek(): YamlToken {
    while (this.#needsMoreTokens()) this.#fetchTokens();
    return this.#tokens[this.#nextToken]!;
  }

  take(): YamlToken {
    const token = this.peek();
    this.#nextToken++;
    this.#takenCount++;
    if (this.#nextToken === this.#tokens.length) {
      this.#tokens = [];
      this.#nextToken = 0;
    }
    return token;
  }

  /** A token can be taken only if no key token can be inserted before it any more. */
  #needsMoreTokens(): boolean {
    if (this.#isStreamEnd) return false;
    if (this.#nextToken === this.#tokens.length) return true;
    this.#dropStaleKeys();
    return this.#possibleKeys[this.#oldestPossibleKey]?.tokenNumber === this.#takenCount;
  }

  #addToken(
    type: TokenType,
    start: Mark,
    properties: Partial<YamlToken> = {},
    index = this.#tokens.length,
  ): void {
    const token = {
      type,
      start,
      end: this.#characters.mark(),
      value: '',
      suffix: '',
      isPlain: false,
      ...properties,
    };
    if (index === this.#tokens.length) this.#tokens.push(token);
    else this.#tokens.splice(index, 0, token);
  }

  /** Scans the next token, and the tokens that indentation adds before it. */
  #fetchTokens(): void {
    this.#skipToToken();
    this.#dropStaleKeys();
    const { column } = this.#characters;
    this.#unrollIndent(column);
    const c = this.#characters.peek();
    if (isEnd(c)) {
      this.#fetchStreamEnd();
      return;
    }
    if (column === 0 && c === PERCENT) {
      this.#fetchDirective();
      return;
    }
    if (this.#characters.isDocumentMarker(MINUS)) {
      this.#fetchDocumentMarker('document-start');
      return;
    }
    if (this.#characters.isDocumentMarker(POINT)) {
      this.#fetchDocumentMarker('document-end');
      return;
    }
    const inFlow = this.#flowLevel > 0;
    const isFollowedByBlank = isBlankOrEnd(this.#characters.peek(1));
    switch (String.fromCharCode(c)) {
      case '[':
        this.#fetchFlowCollectionStart('flow-sequence-start');
        return;
      case '{':
        this.#fetchFlowCollectionStart('flow-mapping-start');
        return;
      case ']':
        this.#fetchFlowCollectionEnd('flow-sequence-end');
        return;
      case '}':
        this.#fetchFlowCollectionEnd('flow-mapping-end');
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
        this.#fetchScalar(scanQuotedScalar);
        return;
      case '-':
        if (isFollowedByBlank) {
          this.#fetchBlockEntry();
          return;
        }
        break;
      case '?':
        if (inFlow || isFollowedByBlank) {
          this.#fetchKey();
          return;
        }
        break;
      case ':':
        if (inFlow || isFollowedByBlank) {
          this.#fetchValue();
          return;
        }
        break;
      case '|':
      case '>':
        if (!inFlow) {
          this.#fetchScalar((characters) => scanBlockScalar(characters, this.#indent));
          return;
        }
        break;
    }
    const isIndicator = isBlank(c) || '-?:,[]{}#&*!|>\'"%@`'.includes(String.fromCharCode(c));
    const isPlain =
      !isIndicator ||
      (c === MINUS && !isFollowedByBlank) ||
      (!inFlow && (c === QUESTION_MARK || c === COLON));
    if (!isPlain) {
      throw scannerError('found character that cannot start any token', this.#characters.mark());
    }
    this.#fetchScalar((characters) => scanPlainScalar(characters, this.#indent + 1, inFlow), true);
  }

  #skipToToken(): void {
    const characters = this.#characters;
    for (;;) {
      if (characters.column === 0 && characters.peek() === BYTE_ORDER_MARK) {
        characters.skip();
        characters.lineStart = characters.index;
      }
      // Tabs separate tokens, but are not indentation.
      while (
        characters.peek() === 0x20 ||
        (characters.peek() === TAB && (this.#flowLevel > 0 || !this.#simpleKeyAllowed))
      ) {
        characters.skip();
      }
      if (characters.peek() === HASH) while (!isBreakOrEnd(characters.peek())) characters.skip();
      if (!isBreak(characters.peek())) return;
      characters.takeBreak();
      if (this.#flowLevel === 0) this.#simpleKeyAllowed = true;
    }
  }

  /** A simple key cannot span lines or exceed the maximum length. */
  #dropStaleKeys(): void {
    const { line, index } = this.#characters;
    for (
      let key = this.#possibleKeys[this.#oldestPossibleKey];
      key;
      key = this.#possibleKeys[++this.#oldestPossibleKey]
    ) {
      if (key.mark.line === line && key.mark.index + maxSimpleKeyLength >= index) return;
      this.#rejectIfRequired(key);
    }
    this.#possibleKeys = [];
    this.#oldestPossibleKey = 0;
  }

  /** Removes and returns the possible key of the current flow level. */
  #takePossibleKey(): PossibleSimpleKey | undefined {
    if (
      this.#possibleKeys.length === this.#oldestPossibleKey ||
      this.#possibleKeys.at(-1)!.flowLevel !== this.#flowLevel
    )
      return undefined;
    return this.#possibleKeys.pop();
  }

  #dropPossibleKey(): void {
    this.#rejectIfRequired(this.#takePossibleKey());
  }

  #rejectIfRequired(key: PossibleSimpleKey | undefined): void {
    if (key?.isRequired) throw scannerError("could not find expected ':'", key.mark, this.#characters.mark());
  }

  #savePossibleKey(): void {
    if (!this.#simpleKeyAllowed) return;
    this.#dropPossibleKey();
    this.#possibleKeys.push({
      flowLevel: this.#flowLevel,
      tokenNumber: this.#takenCount + this.#tokens.length - this.#nextToken,
      mark: this.#characters.mark(),
      isRequired: this.#flowLevel === 0 && this.#indent === this.#characters.column,
    });
  }

  /** Starts a block collection if the column is indented more than the current one. */
  #rollIndent(column: number, type: TokenType, mark: Mark, index?: number): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#enclosingIndents.push(this.#indent);
    this.#indent = column;
    if (this.#enclosingIndents.length > maxNesting)
      throw new YamlError(`yaml: exceeded max depth of ${maxNesting}`);
    this.#addToken(type, mark, { end: mark }, index);
  }

  /** Ends the block collections that are indented more than the column. */
  #unrollIndent(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#addToken('block-end', this.#characters.mark());
      this.#indent = this.#enclosingIndents.pop()!;
    }
  }

  #fetchStreamEnd(): void {
    const characters = this.#characters;
    // The stream end is at the start of a line.
    if (characters.column !== 0) {
      characters.line++;
      characters.lineStart = characters.index;
    }
    this.#unrollIndent(-1);
    this.#dropPossibleKey();
    this.#simpleKeyAllowed = false;
    this.#addToken('stream-end', characters.mark());
    this.#isStreamEnd = true;
  }

  #fetchDocumentMarker(type: TokenType): void {
    this.#unrollIndent(-1);
    this.#dropPossibleKey();
    this.#simpleKeyAllowed = false;
    const start = this.#characters.mark();
    this.#characters.skip(3);
    this.#addToken(type, start);
  }

  #fetchFlowCollectionStart(type: TokenType): void {
    this.#savePossibleKey();
    this.#flowLevel++;
    if (this.#flowLevel > maxNesting) throw new YamlError(`yaml: exceeded max depth of ${maxNesting}`);
    this.#simpleKeyAllowed = true;
    this.#fetchIndicator(type);
  }

  #fetchFlowCollectionEnd(type: TokenType): void {
    this.#dropPossibleKey();
    if (this.#flowLevel > 0) this.#flowLevel--;
    this.#simpleKeyAllowed = false;
    this.#fetchIndicator(type);
  }

  #fetchIndicator(type: TokenType): void {
    const start = this.#characters.mark();
    this.#characters.skip();
    this.#addToken(type, start);
  }

  #fetchFlowEntry(): void {
    this.#dropPossibleKey();
    this.#simpleKeyAllowed = true;
    this.#fetchIndicator('flow-entry');
  }

  #fetchBlockEntry(): void {
    if (this.#flowLevel === 0) {
      const mark = this.#characters.mark();
      if (!this.#simpleKeyAllowed) {
        throw scannerError('block sequence entries are not allowed in this context', mark);
      }
      this.#rollIndent(mark.column, 'block-sequence-start', mark);
    }
    this.#dropPossibleKey();
    this.#simpleKeyAllowed = true;
    this.#fetchIndicator('block-entry');
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) {
      const mark = this.#characters.mark();
      if (!this.#simpleKeyAllowed) throw scannerError('mapping keys are not allowed in this context', mark);
      this.#rollIndent(mark.column, 'block-mapping-start', mark);
    }
    this.#dropPossibleKey();
    this.#simpleKeyAllowed = this.#flowLevel === 0;
    this.#fetchIndicator('key');
  }

  #fetchValue(): void {
    const key = this.#takePossibleKey();
    if (key) {
      const index = key.tokenNumber - this.#takenCount + this.#nextToken;
      this.#addToken('key', key.mark, { end: key.mark }, index);
      this.#rollIndent(key.mark.column, 'block-mapping-start', key.mark, index);
      this.#simpleKeyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        const mark = this.#characters.mark();
        if (!this.#simpleKeyAllowed)
          throw scannerError('mapping values are not allowed in this context', mark);
        this.#rollIndent(mark.column, 'block-mapping-start', mark);
      }
      this.#simpleKeyAllowed = this.#flowLevel === 0;
    }
    this.#fetchIndicator('value');
  }

  #fetchAnchor(type: 'alias' | 'anchor'): void {
    this.#savePossibleKey();
    this.#simpleKeyAllowed = false;
    const start = this.#characters.mark();
    this.#addToken(type, start, { value: scanAnchor(this.#characters) });
  }

  #fetchTag(): void {
    this.#savePossibleKey();
    this.#simpleKeyAllowed = false;
    const start = this.#characters.mark();
    this.#addToken('tag', start, scanTag(this.#characters, this.#flowLevel > 0));
  }

  #fetchScalar(scan: (characters: Characters) => ScannedScalar, isPlain = false): void {
    this.#savePossibleKey();
    this.#simpleKeyAllowed = false;
    const start = this.#characters.mark();
    const { value, end, endsWithBreak } = scan(this.#characters);
    if (endsWithBreak) this.#simpleKeyAllowed = true;
    this.#addToken('scalar', start, { value, end, isPlain });
  }

  #fetchDirective(): void {
    this.#unrollIndent(-1);
    this.#dropPossibleKey();
    this.#simpleKeyAllowed = false;
    const start = this.#characters.mark();
    this.#addToken('directive', start, scanDirective(this.#characters));
  }
}
