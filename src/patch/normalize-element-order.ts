// Strategic merge patch: the order of a merged list (normalizeElementOrder upstream).

/**
 * Elements of the patch are in its order. The others keep theirs, each before the first patch element that it
 * preceded in the original list. `keyOf` identifies elements.
 */
export function normalizeElementOrder<T>(
  merged: readonly T[],
  patch: readonly T[],
  original: readonly T[],
  keyOf: (element: T) => string,
): T[] {
  const patchIndexes = firstIndexes(patch, keyOf);
  const originalIndexes = firstIndexes(original, keyOf);
  const keyed = merged.map((element) => ({ element, key: keyOf(element) }));
  const first = keyed
    .filter(({ key }) => patchIndexes.has(key))
    .sort((a, b) => patchIndexes.get(a.key)! - patchIndexes.get(b.key)!);
  const rest = keyed
    .filter(({ key }) => !patchIndexes.has(key))
    .sort(
      (a, b) =>
        (originalIndexes.get(a.key) ?? original.length) - (originalIndexes.get(b.key) ?? original.length),
    );
  const result: T[] = [];
  let next = 0;
  for (const { element, key } of first) {
    const index = originalIndexes.get(key) ?? -1;
    while (next < rest.length && isBefore(originalIndexes.get(rest[next]!.key), index)) {
      result.push(rest[next++]!.element);
    }
    result.push(element);
  }
  for (; next < rest.length; next++) result.push(rest[next]!.element);
  return result;
}

/** The index of the first element with each key. */
function firstIndexes<T>(list: readonly T[], keyOf: (element: T) => string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [index, element] of list.entries()) {
    const key = keyOf(element);
    if (!found.has(key)) found.set(key, index);
  }
  return found;
}

const isBefore = (one: number | undefined, other: number) => one !== undefined && one < other;
