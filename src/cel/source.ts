// CEL source positions and issues.

/** Where in a text something stands: lines from 1, columns from 0, counted in characters as a reader sees them. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something wrong with an expression, and where. */
export interface Issue {
  readonly message: string;
  /** The offset in UTF-16 units; negative for the whole expression. */
  readonly offset: number;
}

/** The limits of reported issues and of their text; further ones are only counted. Each shows its whole line. */
const mostTold = 100;
const mostText = 100_000;

function positionAt(text: string, offset: number): Position {
  if (offset < 0) return { line: -1, column: 0 };
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: characters(text.slice(lineStart, offset)).length };
}

/** All issues as the reference writes them: place, message, the line, and a mark below it. */
export function describeIssues(text: string, issues: readonly Issue[]): string {
  const placed = [...issues].sort((one, other) => one.offset - other.offset);
  const told: string[] = [];
  let length = 0;
  for (const { message, offset } of placed) {
    if (told.length === mostTold || length > mostText) break;
    const described = describeIssue(text, message, positionAt(text, offset));
    told.push(described);
    length += described.length;
  }
  const rest = placed.length - told.length;
  if (rest > 0) told.push(`${rest} more errors were truncated`);
  return told.join('\n');
}

function describeIssue(text: string, message: string, { line, column }: Position): string {
  // Of nothing at all there is no first column, nor a line to show.
  const isNowhere = line < 0 || text === '';
  const heading = `ERROR: <input>:${line}:${isNowhere ? column : column + 1}: ${message}`;
  if (isNowhere) return heading;
  const shown = (text.split('\n')[line - 1] ?? '').replaceAll('\t', ' ');
  const shownCharacters = characters(shown);
  let marks = '';
  for (const character of shownCharacters.slice(0, column)) marks += isWide(character) ? '．' : '.';
  const marked = shownCharacters[column];
  marks += marked !== undefined && isWide(marked) ? '＾' : '^';
  return `${heading}\n | ${shown}\n | ${marks}`;
}

const characters = (text: string) => Array.from(text);
const isWide = (character: string) => character.codePointAt(0)! > 0x7f;
