// What the user types above a table: words that a row must have, and label selectors.

interface FilteredRow {
  readonly name: string;
  readonly namespace: string;
  readonly cells: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

export type RowFilter = (row: FilteredRow) => boolean;

const matchesAll: RowFilter = () => true;

/**
 * Words separated by spaces. A row matches if it has all of them: `key=value`, `key!=value` compare a label, `-word` excludes,
 * other words are part of the name, the namespace or a cell.
 */
export function parseFilter(text: string): RowFilter {
  const filters = text.trim().split(/\s+/).filter(Boolean).map(wordFilter);
  if (filters.length === 0) return matchesAll;
  return (row) => filters.every((matches) => matches(row));
}

function wordFilter(word: string): RowFilter {
  if (word.length > 1 && word.startsWith('-')) {
    const matches = wordFilter(word.slice(1));
    return (row) => !matches(row);
  }
  const label = /^([^=!]+)(!?=)(.*)$/.exec(word);
  if (label) {
    const [, key, operator, value] = label;
    return ({ labels }) => (labels[key!] === value) === (operator === '=');
  }
  const part = word.toLowerCase();
  return ({ name, namespace, cells }) =>
    name.toLowerCase().includes(part) ||
    namespace.toLowerCase().includes(part) ||
    cells.some((cell) => cell.toLowerCase().includes(part));
}
