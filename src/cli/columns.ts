// Formats rows of cells as aligned columns, as kubectl prints tables.

export function alignColumns(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('   ')
      .trimEnd(),
  );
}

/** Escaped in cells: a name from the server could otherwise contain terminal escape sequences that hide lines. */
const controlCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const printable = (text: string) =>
  text.replace(controlCharacters, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
