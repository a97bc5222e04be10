// CEL property names: how names that are no identifiers are escaped, and read back.
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const symbols: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

const unescaped: Readonly<Record<string, readonly string[]>> = {
  __underscores__: ['_', '__'],
  __dot__: ['.'],
  __dash__: ['-'],
  __slash__: ['/'],
};
const escapes = /__(?:underscores|dot|dash|slash)__/g;

/** A property's name as CEL can write it; undefined where it cannot. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (part) => symbols[part]!);
}

/**
 * The properties that an escaped name may stand for. `__underscores__` is one underscore in the specification and two in
 * the release; a reserved word is followed by `__`, or has it on both sides.
 */
export function unescapedNames(name: string): readonly string[] {
  if (!name.includes('__')) return [];
  const word = /^(?:__)?(.*?)__$/.exec(name)?.[1];
  if (word !== undefined && reserved.has(word)) return [word];
  const one = (underscores: 0 | 1) =>
    name.replace(escapes, (part) => unescaped[part]![underscores] ?? unescaped[part]![0]!);
  return [...new Set([one(0), one(1)])].filter((found) => found !== name);
}
