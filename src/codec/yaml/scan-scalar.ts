// YAML scanner: plain, quoted and block scalars.
import {
  type Characters,
  isBlank,
  isBlankOrEnd,
  isBreak,
  isBreakOrEnd,
  isEnd,
  isSpace,
} from './characters.ts';
import { type Mark, scannerError } from './yaml-error.ts';

const TAB = 9;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const SINGLE_QUOTE = 39;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const BACKSLASH = 92;

export interface ScannedScalar {
  readonly value: string;
  readonly end: Mark;
  /** Line breaks follow, so that a simple key may start after the scalar. */
  readonly endsWithBreak: boolean;
}

/** Line folding: a single line break becomes a space; of several line breaks the first one is dropped. */
class LineFolding {
  #firstBreak = '';
  #laterBreaks = '';
  #blanks = '';
  hasBreak = false;

  /** Skips white space. Calls `checkBlank` for every blank after a line break. */
  skipWhiteSpace(characters: Characters, checkBlank: () => void = () => {}): void {
    for (;;) {
      const c = characters.peek();
      if (isBlank(c)) {
        if (this.hasBreak) checkBlank();
        else this.#blanks += characters.text[characters.index];
        characters.skip();
      } else if (isBreak(c)) {
        if (this.hasBreak) this.#laterBreaks += characters.takeBreak();
        else {
          this.#blanks = '';
          this.#firstBreak = characters.takeBreak();
          this.hasBreak = true;
        }
      } else return;
    }
  }

  /** Returns the folded text of the skipped white space, and resets. */
  takeFolded(): string {
    const text = this.hasBreak ? this.#foldBreaks() : this.#blanks;
    this.#firstBreak = this.#laterBreaks = this.#blanks = '';
    this.hasBreak = false;
    return text;
  }

  /** Line and paragraph separators, and an escaped break, are not folded. */
  #foldBreaks(): string {
    return this.#firstBreak === '\n' ? this.#laterBreaks || ' ' : this.#firstBreak + this.#laterBreaks;
  }

  /** An escaped line break produces no text. */
  escapeBreak(): void {
    this.hasBreak = true;
  }
}

export function scanPlainScalar(characters: Characters, indent: number, inFlow: boolean): ScannedScalar {
  const start = characters.mark();
  const folding = new LineFolding();
  let value = '';
  let end = start;
  let endsWithBreak = false;
  for (;;) {
    if (characters.isDocumentMarker(MINUS) || characters.isDocumentMarker(POINT)) break;
    if (characters.peek() === HASH) break;
    const wordStart = characters.index;
    while (!isPlainScalarEnd(characters, inFlow)) characters.skip();
    if (characters.index > wordStart) {
      value += folding.takeFolded() + characters.text.slice(wordStart, characters.index);
      end = characters.mark();
      endsWithBreak = false;
    }
    const c = characters.peek();
    if (!isBlank(c) && !isBreak(c)) break;
    folding.skipWhiteSpace(characters, () => {
      if (characters.column < indent && characters.peek() === TAB) {
        throw scannerError('found a tab character that violates indentation', start, characters.mark());
      }
    });
    endsWithBreak = folding.hasBreak;
    if (!inFlow && characters.column < indent) break;
  }
  return { value, end, endsWithBreak };
}

function isPlainScalarEnd(characters: Characters, inFlow: boolean): boolean {
  const c = characters.peek();
  if (isBlankOrEnd(c)) return true;
  if (c === COLON) return isBlankOrEnd(characters.peek(1));
  return inFlow && isFlowIndicator(c);
}

/** `,`, `?`, `[`, `]`, `{`, `}`. */
const isFlowIndicator = (c: number) => c === 44 || c === 63 || c === 91 || c === 93 || c === 123 || c === 125;

export function scanQuotedScalar(characters: Characters): ScannedScalar {
  const start = characters.mark();
  const isSingleQuoted = characters.peek() === SINGLE_QUOTE;
  characters.skip();
  const folding = new LineFolding();
  let value = '';
  for (;;) {
    if (characters.isDocumentMarker(MINUS) || characters.isDocumentMarker(POINT)) {
      throw scannerError('found unexpected document indicator', start, characters.mark());
    }
    if (isEnd(characters.peek())) {
      throw scannerError('found unexpected end of stream', start, characters.mark());
    }
    for (let c = characters.peek(); !isBlankOrEnd(c); c = characters.peek()) {
      if (isSingleQuoted && c === SINGLE_QUOTE && characters.peek(1) === SINGLE_QUOTE) {
        value += "'";
        characters.skip(2);
      } else if (c === (isSingleQuoted ? SINGLE_QUOTE : DOUBLE_QUOTE)) {
        break;
      } else if (!isSingleQuoted && c === BACKSLASH && isBreak(characters.peek(1))) {
        characters.skip();
        characters.takeBreak();
        folding.escapeBreak();
        break;
      } else if (!isSingleQuoted && c === BACKSLASH) {
        value += scanEscape(characters, start);
      } else {
        const runStart = characters.index;
        do characters.skip();
        while (!isQuotedRunEnd(characters.peek()));
        value += characters.text.slice(runStart, characters.index);
      }
    }
    if (characters.peek() === (isSingleQuoted ? SINGLE_QUOTE : DOUBLE_QUOTE)) break;
    folding.skipWhiteSpace(characters);
    value += folding.takeFolded();
  }
  characters.skip();
  return { value, end: characters.mark(), endsWithBreak: false };
}

const isQuotedRunEnd = (c: number) =>
  isBlankOrEnd(c) || c === SINGLE_QUOTE || c === DOUBLE_QUOTE || c === BACKSLASH;

const escapeValues: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};
const hexEscapeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function scanEscape(characters: Characters, start: Mark): string {
  const escapeCharacter = characters.text[characters.index + 1] ?? '';
  const length = Object.hasOwn(hexEscapeLengths, escapeCharacter)
    ? hexEscapeLengths[escapeCharacter]
    : undefined;
  if (length === undefined) {
    if (!Object.hasOwn(escapeValues, escapeCharacter)) {
      throw scannerError('found unknown escape character', start, characters.mark());
    }
    characters.skip(2);
    return escapeValues[escapeCharacter]!;
  }
  characters.skip(2);
  const digits = characters.text.slice(characters.index, characters.index + length);
  if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length) {
    throw scannerError('did not find expected hexdecimal number', start, characters.mark());
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw scannerError('found invalid Unicode character escape code', start, characters.mark());
  }
  characters.skip(length);
  return String.fromCodePoint(code);
}

export function scanBlockScalar(characters: Characters, parentIndent: number): ScannedScalar {
  const start = characters.mark();
  const isFolded = characters.text[characters.index] === '>';
  characters.skip();
  const { chomping, indentationIndicator } = scanBlockHeader(characters, start);
  // 0: the first line determines the indentation. At the top level parentIndent is -1.
  const givenIndent = indentationIndicator === 0 ? 0 : Math.max(parentIndent, 0) + indentationIndicator;
  let [indent, breaks, end] = scanBlockBreaks(characters, givenIndent, parentIndent, start);
  let value = '';
  let lineBreak = '';
  let startedWithBlank = false;
  while (characters.column === indent && !isEnd(characters.peek())) {
    const isBlankLine = isBlank(characters.peek());
    if (isFolded && lineBreak === '\n' && !startedWithBlank && !isBlankLine) {
      if (breaks === '') value += ' ';
    } else {
      value += lineBreak;
    }
    value += breaks;
    startedWithBlank = isBlankLine;
    const runStart = characters.index;
    while (!isBreakOrEnd(characters.peek())) characters.skip();
    value += characters.text.slice(runStart, characters.index);
    lineBreak = isEnd(characters.peek()) ? '' : characters.takeBreak();
    [indent, breaks, end] = scanBlockBreaks(characters, indent, parentIndent, start);
  }
  if (chomping !== '-') value += lineBreak;
  if (chomping === '+') value += breaks;
  return { value, end, endsWithBreak: true };
}

function scanBlockHeader(
  characters: Characters,
  start: Mark,
): { chomping: '' | '+' | '-' /** 0 without an indicator. */; indentationIndicator: number } {
  let chomping: '' | '+' | '-' = '';
  let indentationIndicator = 0;
  const scanChomping = () => {
    const c = characters.peek();
    if (c !== PLUS && c !== MINUS) return false;
    chomping = c === PLUS ? '+' : '-';
    characters.skip();
    return true;
  };
  const scanIndentation = () => {
    const c = characters.peek();
    if (!(c >= ZERO && c <= NINE)) return false;
    if (c === ZERO) {
      throw scannerError('found an indentation indicator equal to 0', start, characters.mark());
    }
    indentationIndicator = c - ZERO;
    characters.skip();
    return true;
  };
  if (scanChomping()) scanIndentation();
  else if (scanIndentation()) scanChomping();
  while (isBlank(characters.peek())) characters.skip();
  if (characters.peek() === HASH) while (!isBreakOrEnd(characters.peek())) characters.skip();
  if (!isBreakOrEnd(characters.peek())) {
    throw scannerError('did not find expected comment or line break', start, characters.mark());
  }
  if (!isEnd(characters.peek())) characters.takeBreak();
  return { chomping, indentationIndicator };
}

/**
 * Skips empty lines and the indentation of the next line. Returns the indentation of the block, which it detects if
 * `blockIndent` is 0, the skipped line breaks, and the position after them.
 */
function scanBlockBreaks(
  characters: Characters,
  blockIndent: number,
  parentIndent: number,
  start: Mark,
): [indent: number, breaks: string, end: Mark] {
  let end = characters.mark();
  let breaks = '';
  let maxColumn = 0;
  for (;;) {
    while ((blockIndent === 0 || characters.column < blockIndent) && isSpace(characters.peek()))
      characters.skip();
    maxColumn = Math.max(maxColumn, characters.column);
    if ((blockIndent === 0 || characters.column < blockIndent) && characters.peek() === TAB) {
      throw scannerError(
        'found a tab character where an indentation space is expected',
        start,
        characters.mark(),
      );
    }
    if (!isBreak(characters.peek())) break;
    breaks += characters.takeBreak();
    end = characters.mark();
  }
  const indent = blockIndent === 0 ? Math.max(maxColumn, parentIndent + 1, 1) : blockIndent;
  return [indent, breaks, end];
}
