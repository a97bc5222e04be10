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
import { type Mark, scanError } from './yaml-error.ts';

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

export interface Scanned {
  readonly value: string;
  readonly end: Mark;
  /** A plain scalar was followed by line breaks, so a key may start after it. */
  readonly brokeLine: boolean;
}

/** Line folding: a single line break between words becomes a space; of several, the first is dropped. */
class Folding {
  #leading = '';
  #trailing = '';
  #blanks = '';
  brokeLine = false;

  /** Consumes white space. `check` is called for every blank after a line break. */
  take(characters: Characters, check: () => void = () => {}): void {
    for (;;) {
      const c = characters.at();
      if (isBlank(c)) {
        if (this.brokeLine) check();
        else this.#blanks += characters.text[characters.index];
        characters.skip();
      } else if (isBreak(c)) {
        if (this.brokeLine) this.#trailing += characters.takeBreak();
        else {
          this.#blanks = '';
          this.#leading = characters.takeBreak();
          this.brokeLine = true;
        }
      } else return;
    }
  }

  /** Returns the folded text for the consumed white space, and resets. */
  join(): string {
    const { brokeLine } = this;
    const text = !brokeLine
      ? this.#blanks
      : this.#leading === '\n'
        ? this.#trailing || ' '
        : this.#leading + this.#trailing;
    this.#leading = this.#trailing = this.#blanks = '';
    this.brokeLine = false;
    return text;
  }

  /** The first line break was escaped: it produces no text. */
  escapeBreak(): void {
    this.brokeLine = true;
  }
}

export function scanPlain(characters: Characters, indent: number, inFlow: boolean): Scanned {
  const start = characters.mark();
  const folding = new Folding();
  let value = '';
  let end = start;
  let brokeLine = false;
  for (;;) {
    if (characters.isDocumentMark(MINUS) || characters.isDocumentMark(POINT)) break;
    if (characters.at() === HASH) break;
    const from = characters.index;
    while (!endsPlain(characters, inFlow)) characters.skip();
    if (characters.index > from) {
      value += folding.join() + characters.text.slice(from, characters.index);
      end = characters.mark();
      brokeLine = false;
    }
    const c = characters.at();
    if (!isBlank(c) && !isBreak(c)) break;
    folding.take(characters, () => {
      if (characters.column < indent && characters.at() === 9) {
        throw scanError('found a tab character that violates indentation', start, characters.mark());
      }
    });
    brokeLine = folding.brokeLine;
    if (!inFlow && characters.column < indent) break;
  }
  return { value, end, brokeLine };
}

function endsPlain(characters: Characters, inFlow: boolean): boolean {
  const c = characters.at();
  if (isBlankOrEnd(c)) return true;
  if (c === COLON) return isBlankOrEnd(characters.at(1));
  return inFlow && isFlowMark(c);
}

/** `,`, `?`, `[`, `]`, `{`, `}`. */
const isFlowMark = (c: number) => c === 44 || c === 63 || c === 91 || c === 93 || c === 123 || c === 125;

export function scanQuoted(characters: Characters): Scanned {
  const start = characters.mark();
  const isSingle = characters.at() === SINGLE_QUOTE;
  characters.skip();
  const folding = new Folding();
  let value = '';
  for (;;) {
    if (characters.isDocumentMark(MINUS) || characters.isDocumentMark(POINT)) {
      throw scanError('found unexpected document indicator', start, characters.mark());
    }
    if (isEnd(characters.at())) {
      throw scanError('found unexpected end of stream', start, characters.mark());
    }
    for (let c = characters.at(); !isBlankOrEnd(c); c = characters.at()) {
      if (isSingle && c === SINGLE_QUOTE && characters.at(1) === SINGLE_QUOTE) {
        value += "'";
        characters.skip(2);
      } else if (c === (isSingle ? SINGLE_QUOTE : DOUBLE_QUOTE)) {
        break;
      } else if (!isSingle && c === BACKSLASH && isBreak(characters.at(1))) {
        characters.skip();
        characters.takeBreak();
        folding.escapeBreak();
        break;
      } else if (!isSingle && c === BACKSLASH) {
        value += scanEscape(characters, start);
      } else {
        const from = characters.index;
        do characters.skip();
        while (!endsQuotedRun(characters.at()));
        value += characters.text.slice(from, characters.index);
      }
    }
    if (characters.at() === (isSingle ? SINGLE_QUOTE : DOUBLE_QUOTE)) break;
    folding.take(characters);
    value += folding.join();
  }
  characters.skip();
  return { value, end: characters.mark(), brokeLine: false };
}

const endsQuotedRun = (c: number) =>
  isBlankOrEnd(c) || c === SINGLE_QUOTE || c === DOUBLE_QUOTE || c === BACKSLASH;

const escapes: Readonly<Record<string, string>> = {
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
const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function scanEscape(characters: Characters, start: Mark): string {
  const kind = characters.text[characters.index + 1] ?? '';
  const length = Object.hasOwn(codeLengths, kind) ? codeLengths[kind] : undefined;
  if (length === undefined) {
    if (!Object.hasOwn(escapes, kind)) {
      throw scanError('found unknown escape character', start, characters.mark());
    }
    characters.skip(2);
    return escapes[kind]!;
  }
  characters.skip(2);
  const digits = characters.text.slice(characters.index, characters.index + length);
  if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length) {
    throw scanError('did not find expected hexdecimal number', start, characters.mark());
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw scanError('found invalid Unicode character escape code', start, characters.mark());
  }
  characters.skip(length);
  return String.fromCodePoint(code);
}

export function scanBlock(characters: Characters, parentIndent: number): Scanned {
  const start = characters.mark();
  const isFolded = characters.text[characters.index] === '>';
  characters.skip();
  const { chomping, increment } = scanBlockHeader(characters, start);
  let indent = increment === 0 ? 0 : parentIndent >= 0 ? parentIndent + increment : increment;
  let end = characters.mark();
  let breaks: string;
  [indent, breaks, end] = scanBlockBreaks(characters, indent, parentIndent, start);
  let value = '';
  let leading = '';
  let beganBlank = false;
  while (characters.column === indent && !isEnd(characters.at())) {
    const isBlankLine = isBlank(characters.at());
    if (isFolded && leading === '\n' && !beganBlank && !isBlankLine) {
      if (breaks === '') value += ' ';
    } else {
      value += leading;
    }
    value += breaks;
    beganBlank = isBlankLine;
    const from = characters.index;
    while (!isBreakOrEnd(characters.at())) characters.skip();
    value += characters.text.slice(from, characters.index);
    leading = isEnd(characters.at()) ? '' : characters.takeBreak();
    [indent, breaks, end] = scanBlockBreaks(characters, indent, parentIndent, start);
  }
  if (chomping !== '-') value += leading;
  if (chomping === '+') value += breaks;
  return { value, end, brokeLine: true };
}

function scanBlockHeader(
  characters: Characters,
  start: Mark,
): { chomping: '' | '+' | '-'; increment: number } {
  let chomping: '' | '+' | '-' = '';
  let increment = 0;
  const takeChomping = () => {
    const c = characters.at();
    if (c !== PLUS && c !== MINUS) return false;
    chomping = c === PLUS ? '+' : '-';
    characters.skip();
    return true;
  };
  const takeIncrement = () => {
    const c = characters.at();
    if (!(c >= ZERO && c <= NINE)) return false;
    if (c === ZERO) {
      throw scanError('found an indentation indicator equal to 0', start, characters.mark());
    }
    increment = c - ZERO;
    characters.skip();
    return true;
  };
  if (takeChomping()) takeIncrement();
  else if (takeIncrement()) takeChomping();
  while (isBlank(characters.at())) characters.skip();
  if (characters.at() === HASH) while (!isBreakOrEnd(characters.at())) characters.skip();
  if (!isBreakOrEnd(characters.at())) {
    throw scanError('did not find expected comment or line break', start, characters.mark());
  }
  if (!isEnd(characters.at())) characters.takeBreak();
  return { chomping, increment };
}

/** Skips empty lines and the indentation of the next line; detects the indentation of the block. */
function scanBlockBreaks(
  characters: Characters,
  knownIndent: number,
  parentIndent: number,
  start: Mark,
): [indent: number, breaks: string, end: Mark] {
  let end = characters.mark();
  let breaks = '';
  let widest = 0;
  for (;;) {
    while ((knownIndent === 0 || characters.column < knownIndent) && isSpace(characters.at()))
      characters.skip();
    widest = Math.max(widest, characters.column);
    if ((knownIndent === 0 || characters.column < knownIndent) && characters.at() === 9) {
      throw scanError(
        'found a tab character where an indentation space is expected',
        start,
        characters.mark(),
      );
    }
    if (!isBreak(characters.at())) break;
    breaks += characters.takeBreak();
    end = characters.mark();
  }
  const indent = knownIndent === 0 ? Math.max(widest, parentIndent + 1, 1) : knownIndent;
  return [indent, breaks, end];
}
