// Formats rows of cells as aligned columns, as kubectl prints tables.

export function columns(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('   ')
      .trimEnd(),
  );
}

/** Escaped, because a name from the server could otherwise contain terminal escape sequences that hide lines. */
const controlCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const printable = (text: string) =>
  text.replace(controlCharacters, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
