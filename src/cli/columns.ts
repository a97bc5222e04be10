/** Rows of cells as lines, the cells of each column below each other. */
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

/** What a terminal would obey instead of showing it: others choose the names of things, and must not hide a line by them. */
const obeyed = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const printable = (text: string) =>
  text.replace(obeyed, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
