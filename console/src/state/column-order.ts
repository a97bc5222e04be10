// The order of rows by a column: numbers as numbers, quantities and durations by size, everything else as text.

const units: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

const collator = new Intl.Collator('en', { numeric: true });

/** Numbers and quantities (`250m`, `2Gi`), or `ready/total` by its parts; undefined for other texts. */
function sizeOf(cell: string): number | undefined {
  const match = /^(-?[0-9]+(?:\.[0-9]+)?)([A-Za-z]{0,2})$/.exec(cell);
  if (!match) return undefined;
  const [, digits, unit] = match;
  if (unit === '') return Number(digits);
  return Object.hasOwn(units, unit!) ? Number(digits) * units[unit!]! : undefined;
}

export function compareCells(one: string, other: string): number {
  if (one === other) return 0;
  const [oneSize, otherSize] = [sizeOf(one), sizeOf(other)];
  if (oneSize !== undefined && otherSize !== undefined && oneSize !== otherSize) return oneSize - otherSize;
  return collator.compare(one, other);
}
