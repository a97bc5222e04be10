// CSV parser of the static token file.
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Parses lines with `"quoted, ""fields"""`. Skips blank lines and trims white space around fields. `origin` names the file in errors. */
export function parseCsv(text: string, origin: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  text.split(/\r?\n/).forEach((content, index) => {
    if (content.trim() !== '')
      records.push({ line: index + 1, fields: parseFields(content, `${origin}, line ${index + 1}`) });
  });
  return records;
}

function parseFields(content: string, location: string): string[] {
  const fields: string[] = [];
  const field = /\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y;
  for (;;) {
    const match = field.exec(content);
    if (!match) throw new Error(`${location}: unexpected quote`);
    fields.push(match[1] !== undefined ? match[1].replaceAll('""', '"') : match[2]!.trim());
    if (match[3] === '') return fields;
  }
}
