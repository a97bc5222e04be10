// The rows of docs/reference/spec-coverage.md: rules of the specification and the tests that prove them.
import assert from 'node:assert/strict';

export interface CoverageRow {
  readonly section: string;
  /** The cells as they are written, code in backticks. */
  readonly rule: string;
  readonly where: string;
  readonly what: string;
}

export function coverageRows(page: string): CoverageRow[] {
  const rows: CoverageRow[] = [];
  let section = '';
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3);
    if (!line.startsWith('| ') || /^\| (?:Rule +\||-+ \|)/.test(line)) continue;
    const [, rule, where, what, ...rest] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    assert.ok(rule && where && what && rest.length === 1, line);
    rows.push({ section, rule, where, what });
  }
  return rows;
}

/** Whether a test of this repository proves the rule. */
export const isProven = ({ where }: CoverageRow) => where.startsWith('`');

/** The text of a cell that is code. */
export const codeIn = (cell: string) => /^`(.+)`$/.exec(cell)?.[1]?.replaceAll('\\|', '|') ?? '';
