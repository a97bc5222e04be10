/**
 * Puts the elements of a merged list in order. Those that the patch names come in the order it names them; the others
 * keep theirs, each in front of the first named one that it stood in front of before. `keyOf` tells elements apart.
 */
export function inOrder<T>(
  merged: readonly T[],
  named: readonly T[],
  before: readonly T[],
  keyOf: (element: T) => string,
): T[] {
  const namedAt = places(named, keyOf);
  const beforeAt = places(before, keyOf);
  const keyed = merged.map((element) => ({ element, key: keyOf(element) }));
  const first = keyed
    .filter(({ key }) => namedAt.has(key))
    .sort((a, b) => namedAt.get(a.key)! - namedAt.get(b.key)!);
  const rest = keyed
    .filter(({ key }) => !namedAt.has(key))
    .sort((a, b) => (beforeAt.get(a.key) ?? before.length) - (beforeAt.get(b.key) ?? before.length));
  const result: T[] = [];
  let next = 0;
  for (const { element, key } of first) {
    const place = beforeAt.get(key) ?? -1;
    while (next < rest.length && isBefore(beforeAt.get(rest[next]!.key), place)) {
      result.push(rest[next++]!.element);
    }
    result.push(element);
  }
  for (; next < rest.length; next++) result.push(rest[next]!.element);
  return result;
}

/** Where each element stands first. */
function places<T>(list: readonly T[], keyOf: (element: T) => string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [place, element] of list.entries()) {
    const key = keyOf(element);
    if (!found.has(key)) found.set(key, place);
  }
  return found;
}

const isBefore = (one: number | undefined, other: number) => one !== undefined && one < other;
