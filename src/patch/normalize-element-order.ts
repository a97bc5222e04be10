// Strategic merge patch: the order of a merged list (normalizeElementOrder upstream).

/**
 * Sorts a merged list: elements that the patch names have the order of the patch, the others that of the original list.
 * An unpatched element stays before the patched elements that it preceded in the original. `keyOf` identifies elements.
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
  let unpatchedIndex = 0;
  for (const { element, key } of patched) {
    const originalIndex = originalIndexes.get(key) ?? -1;
    for (; unpatchedIndex < unpatched.length; unpatchedIndex++) {
      const candidate = unpatched[unpatchedIndex]!;
      if (!isBefore(originalIndexes.get(candidate.key), originalIndex)) break;
      result.push(candidate.element);
    }
    result.push(element);
  }
  for (; unpatchedIndex < unpatched.length; unpatchedIndex++) result.push(unpatched[unpatchedIndex]!.element);
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

/** An element that the original list lacks (undefined) is before no other. */
const isBefore = (index: number | undefined, otherIndex: number) => index !== undefined && index < otherIndex;
