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

/** A property's name as CEL can write it; undefined where it cannot. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (part) => symbols[part]!);
}
