// Key order of the list cache.

/** Compares keys by their UTF-8 bytes, as the store does; JavaScript compares strings by UTF-16 code units. */
export function compareKeys(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return inByteOrder(x) - inByteOrder(y);
  }
  return a.length - b.length;
}

/** Surrogates encode the characters whose UTF-8 sorts after all others. */
function inByteOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
