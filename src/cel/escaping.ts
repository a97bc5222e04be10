// Escaping of property names that are not CEL identifiers: `foo-bar` is `foo__dash__bar`.

const reservedWords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const escapeBySymbol: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

const symbolsByEscape: Readonly<Record<string, readonly string[]>> = {
  __underscores__: ['_', '__'],
  __dot__: ['.'],
  __dash__: ['-'],
  __slash__: ['/'],
};
const escapePattern = /__(?:underscores|dot|dash|slash)__/g;

/** The identifier of a property; undefined if CEL cannot express it. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (reservedWords.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (symbol) => escapeBySymbol[symbol]!);
}

/**
 * The property names that an identifier may mean. `__underscores__` is one underscore in the specification and two
 * upstream; a reserved word is followed by `__`, or has it on both sides.
 */
export function unescapeName(name: string): readonly string[] {
  if (!name.includes('__')) return [];
  const word = /^(?:__)?(.*?)__$/.exec(name)?.[1];
  if (word !== undefined && reservedWords.has(word)) return [word];
  const unescapeWith = (underscores: 0 | 1) =>
    name.replace(
      escapePattern,
      (sequence) => symbolsByEscape[sequence]![underscores] ?? symbolsByEscape[sequence]![0]!,
    );
  return [...new Set([unescapeWith(0), unescapeWith(1)])].filter((candidate) => candidate !== name);
}
