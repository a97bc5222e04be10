// CSV parser of the static token file (--token-auth-file).

export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/**
 * Parses lines with `"quoted, ""fields"""`. Skips blank lines and trims white space around fields. `origin` names the
 * file in errors.
 */
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
  const field = /\s*(?:"(?<quoted>(?:[^"]|"")*)"\s*|(?<plain>[^",]*))(?<separator>,|$)/y;
  for (;;) {
    const match = field.exec(content);
    if (!match) throw new Error(`${location}: unexpected quote`);
    const { quoted, plain, separator } = match.groups!;
    fields.push(quoted !== undefined ? quoted.replaceAll('""', '"') : plain!.trim());
    if (separator === '') return fields;
  }
}
