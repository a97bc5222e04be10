// The key order of the list cache, which is that of the store.

/** Compares keys by their UTF-8 bytes, as the store does; JavaScript compares strings by UTF-16 code units. */
export function compareKeys(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) return byteOrderRank(unitA) - byteOrderRank(unitB);
  }
  return a.length - b.length;
}

/** Moves surrogates above all other code units: they encode the characters whose UTF-8 sorts last. */
function byteOrderRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
