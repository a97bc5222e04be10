// Order of merged lists in strategic merge patches.

/**
 * Elements of the patch are in its order. The others keep theirs, each before the first patch element that it
 * preceded in the original list. `keyOf` identifies elements.
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

/** The first position of each element. */
function places<T>(list: readonly T[], keyOf: (element: T) => string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [place, element] of list.entries()) {
    const key = keyOf(element);
    if (!found.has(key)) found.set(key, place);
  }
  return found;
}

const isBefore = (one: number | undefined, other: number) => one !== undefined && one < other;
