/** Where in a text something stands: lines from 1, columns from 0, counted in characters as a reader sees them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something wrong with an expression, and where. */
export interface Issue {
  readonly message: string;
  /** Into the text, in UTF-16 units; less than 0 where the whole expression is meant. */
  readonly offset: number;
}

/** The most issues that are told; beyond that they are counted. */
const mostTold = 100;

export function positionAt(text: string, offset: number): Position {
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
  const placed = issues.map(({ message, offset }) => ({ message, position: positionAt(text, offset) }));
  placed.sort(
    (one, other) => one.position.line - other.position.line || one.position.column - other.position.column,
  );
  const told = placed
    .slice(0, mostTold)
    .map(({ message, position }) => describeIssue(text, message, position));
  if (placed.length > mostTold) told.push(`${placed.length - mostTold} more errors were truncated`);
  return told.join('\n');
}

function describeIssue(text: string, message: string, { line, column }: Position): string {
  const heading = `ERROR: <input>:${line}:${line < 0 ? column : column + 1}: ${message}`;
  if (line < 0) return heading;
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
