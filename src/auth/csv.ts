export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Reads comma-separated lines with `"quoted, ""fields"""`; blank lines are left out, white space around fields is dropped. */
export function parseCsv(text: string, origin: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  text.split(/\r?\n/).forEach((content, index) => {
    if (content.trim() !== '')
      records.push({ line: index + 1, fields: fieldsOf(content, `${origin}, line ${index + 1}`) });
  });
  return records;
}

function fieldsOf(content: string, where: string): string[] {
  const fields: string[] = [];
  const field = /\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y;
  for (;;) {
    const match = field.exec(content);
    if (!match) throw new Error(`${where}: unexpected quote`);
    fields.push(match[1] !== undefined ? match[1].replaceAll('""', '"') : match[2]!.trim());
    if (match[3] === '') return fields;
  }
}
