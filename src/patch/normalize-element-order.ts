// Order of merged lists in strategic merge patches.

/**
 * Elements of the patch are in its order. The others keep theirs, each before the first patch element that it
 * preceded in the original list. `keyOf` identifies elements.
 */
export function normalizeElementOrder<T>(
  merged: readonly T[],
  named: readonly T[],
  before: readonly T[],
  keyOf: (element: T) => string,
): T[] {
  const namedAt = firstIndexes(named, keyOf);
  const beforeAt = firstIndexes(before, keyOf);
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
    const target = beforeAt.get(key) ?? -1;
    while (next < rest.length && isBefore(beforeAt.get(rest[next]!.key), target)) {
      result.push(rest[next++]!.element);
    }
    result.push(element);
  }
  for (; next < rest.length; next++) result.push(rest[next]!.element);
  return result;
}

/** The first position of each element. */
function firstIndexes<T>(list: readonly T[], keyOf: (element: T) => string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [target, element] of list.entries()) {
    const key = keyOf(element);
    if (!found.has(key)) found.set(key, target);
  }
  return found;
}

const isBefore = (one: number | undefined, other: number) => one !== undefined && one < other;
