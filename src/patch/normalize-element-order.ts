// Strategic merge patch: the order of a merged list (normalizeElementOrder upstream).

/**
 * Elements of the patch are in its order. The others keep theirs, each before the patched patch element that it
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
  const patched = keyed
    .filter(({ key }) => patchIndexes.has(key))
    .sort((a, b) => patchIndexes.get(a.key)! - patchIndexes.get(b.key)!);
  const unpatched = keyed
    .filter(({ key }) => !patchIndexes.has(key))
    .sort(
      (a, b) =>
        (originalIndexes.get(a.key) ?? original.length) - (originalIndexes.get(b.key) ?? original.length),
    );
  const result: T[] = [];
  let next = 0;
  for (const { element, key } of patched) {
    const index = originalIndexes.get(key) ?? -1;
    while (next < unpatched.length && isBefore(originalIndexes.get(unpatched[next]!.key), index)) {
      result.push(unpatched[next++]!.element);
    }
    result.push(element);
  }
  for (; next < unpatched.length; next++) result.push(unpatched[next]!.element);
  return result;
}

/** The index of the first element with each key. */
function firstIndexes<T>(list: readonly T[], keyOf: (element: T) => string): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, element] of list.entries()) {
    const key = keyOf(element);
    if (!indexes.has(key)) indexes.set(key, index);
  }
  return indexes;
}

const isBefore = (one: number | undefined, other: number) => one !== undefined && one < other;
