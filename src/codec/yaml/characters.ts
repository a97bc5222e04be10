/** The characters of a text with a place in it, and the kinds of characters that YAML knows. */
import type { Mark } from './yaml-error.ts';

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;

export const isSpace = (c: number) => c === SPACE;
export const isBlank = (c: number) => c === SPACE || c === TAB;
/** The end of the text counts as a break: it is NaN here. */
export const isEnd = (c: number) => Number.isNaN(c);
export const isBreak = (c: number) =>
  c === NEWLINE || c === RETURN || c === 0x85 || c === 0x2028 || c === 0x2029;
export const isBreakOrEnd = (c: number) => isBreak(c) || Number.isNaN(c);
export const isBlankOrEnd = (c: number) => isBlank(c) || isBreakOrEnd(c);
/** What names of anchors, directives and tag handles are made of. */
export const isWord = (c: number) =>
  (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c === 45;

export class Characters {
  readonly text: string;
  index = 0;
  line = 0;
  /** Where the line begins. */
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

  /** The code of a character from here on. */
  at(offset = 0): number {
    return this.text.charCodeAt(this.index + offset);
  }

  skip(count = 1): void {
    this.index += count;
  }

  /** Passes over a line break, and says what it stands for. */
  takeBreak(): string {
    const c = this.at();
    this.index += c === RETURN && this.at(1) === NEWLINE ? 2 : 1;
    this.line++;
    this.lineStart = this.index;
    return c === 0x2028 || c === 0x2029 ? String.fromCharCode(c) : '\n';
  }

  /** `---` or `...` at the start of a line. */
  isDocumentMark(character: number): boolean {
    return (
      this.index === this.lineStart &&
      this.at() === character &&
      this.at(1) === character &&
      this.at(2) === character &&
      isBlankOrEnd(this.at(3))
    );
  }
}
