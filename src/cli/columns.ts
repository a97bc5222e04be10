// Prints tables.
/** Aligns the cells of each column. */
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

/** Terminal escape sequences: object names are untrusted and must not hide lines. */
const obeyed = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const printable = (text: string) =>
  text.replace(obeyed, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
