// The input of the YAML scanner: a cursor over the text, and the character classes of the YAML specification.
import type { Mark } from './yaml-error.ts';

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;

export const isSpace = (c: number) => c === SPACE;
export const isBlank = (c: number) => c === SPACE || c === TAB;
export const isEnd = (c: number) => Number.isNaN(c);
export const isBreak = (c: number) =>
  c === NEWLINE || c === RETURN || c === 0x85 || c === 0x2028 || c === 0x2029;
export const isBreakOrEnd = (c: number) => isBreak(c) || Number.isNaN(c);
export const isBlankOrEnd = (c: number) => isBlank(c) || isBreakOrEnd(c);
/** The characters of anchor names, directive names and tag handles. */
export const isWordCharacter = (c: number) =>
  (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c === 45;

export class Characters {
  readonly text: string;
  index = 0;
  line = 0;
  /** Index of the current line's first character. */
  lineStart = 0;

  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.index - this.lineStart;
  }

  mark(): Mark {
    return { index: this.index, line: this.line, column: this.column };
  }

  /** The character code at an offset from the cursor; NaN at the end of the text. */
  peek(offset = 0): number {
    return this.text.charCodeAt(this.index + offset);
  }

  skip(count = 1): void {
    this.index += count;
  }

  /** Skips a line break and returns it normalized. */
  takeBreak(): string {
    const c = this.peek();
    this.index += c === RETURN && this.peek(1) === NEWLINE ? 2 : 1;
    this.line++;
    this.lineStart = this.index;
    return c === 0x2028 || c === 0x2029 ? String.fromCharCode(c) : '\n';
  }

  /** `---` or `...` at the start of a line. */
  isDocumentMarker(character: number): boolean {
    return (
      this.index === this.lineStart &&
      this.peek() === character &&
      this.peek(1) === character &&
      this.peek(2) === character &&
      isBlankOrEnd(this.peek(3))
    );
  }
}
