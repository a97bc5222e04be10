// CEL source positions and issues.

/** Lines count from 1, columns from 0, in characters (code points). */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A compile error of an expression. */
export interface Issue {
  readonly message: string;
  /** The offset in UTF-16 units; negative for the whole expression. */
  readonly offset: number;
}

/** Limits of reported issues and of their text, since each contains its source line; further issues are counted. */
const maxIssues = 100;
const maxTextLength = 100_000;

function positionAt(text: string, offset: number): Position {
  if (offset < 0) return { line: -1, column: 0 };
  let line = 1;
  let lineStart = 0;
  for (
    let newline = text.indexOf('\n');
    newline >= 0 && newline < offset;
    newline = text.indexOf('\n', newline + 1)
  ) {
    line++;
    lineStart = newline + 1;
  }
  return { line, column: characters(text.slice(lineStart, offset)).length };
}

/** All issues as cel-go prints them: position, message, source line, and a caret below it. */
export function describeIssues(text: string, issues: readonly Issue[]): string {
  const sorted = [...issues].sort((a, b) => a.offset - b.offset);
  const descriptions: string[] = [];
  let length = 0;
  for (const { message, offset } of sorted) {
    if (descriptions.length === maxIssues || length > maxTextLength) break;
    const described = describeIssue(text, message, positionAt(text, offset));
    descriptions.push(described);
    length += described.length;
  }
  const omittedCount = sorted.length - descriptions.length;
  if (omittedCount > 0) descriptions.push(`${omittedCount} more errors were truncated`);
  return descriptions.join('\n');
}

function describeIssue(text: string, message: string, { line, column }: Position): string {
  // An empty expression has neither a first column nor a source line.
  const hasNoPosition = line < 0 || text === '';
  const heading = `ERROR: <input>:${line}:${hasNoPosition ? column : column + 1}: ${message}`;
  if (hasNoPosition) return heading;
  const sourceLine = (text.split('\n')[line - 1] ?? '').replaceAll('\t', ' ');
  const lineCharacters = characters(sourceLine);
  let marks = '';
  for (const character of lineCharacters.slice(0, column)) marks += isWide(character) ? '．' : '.';
  const markedCharacter = lineCharacters[column];
  marks += markedCharacter !== undefined && isWide(markedCharacter) ? '＾' : '^';
  return `${heading}\n | ${sourceLine}\n | ${marks}`;
}

const characters = (text: string) => Array.from(text);
const isWide = (character: string) => character.codePointAt(0)! > 0x7f;
