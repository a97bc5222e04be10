// API Priority and Fairness: plain-text tables of the debug endpoints.

/** Columns are as wide as their widest cell, its comma and a space, and at least 8; the last column is not padded. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.slice(0, -1).forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 8, cell.length + 2);
    });
  }
  return rows
    .map((row) =>
      row.map((cell, column) => (column < row.length - 1 ? `${cell},`.padEnd(widths[column]!) : cell)),
    )
    .map((cells) => `${cells.join('')}\n`)
    .join('');
}
