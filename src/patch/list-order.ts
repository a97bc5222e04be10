/**
 * Puts the elements of a merged list in order. Those that the patch names come in the order it names them; the others
 * keep theirs, each in front of the first named one that it stood in front of before.
 */
export function inOrder<T>(
  merged: readonly T[],
  named: readonly T[],
  before: readonly T[],
  isSame: (one: T, other: T) => boolean,
): T[] {
  const placeIn = (list: readonly T[], element: T) => list.findIndex((other) => isSame(other, element));
  const isNamed = (element: T) => placeIn(named, element) >= 0;
  const first = merged
    .filter(isNamed)
    .map((element) => ({ element, place: placeIn(named, element) }))
    .sort((a, b) => a.place - b.place)
    .map(({ element }) => element);
  const rest = merged.filter((element) => !isNamed(element));
  const result: T[] = [];
  let next = 0;
  for (const element of first) {
    const place = placeIn(before, element);
    while (place >= 0 && next < rest.length && isBefore(placeIn(before, rest[next]!), place)) {
      result.push(rest[next++]!);
    }
    result.push(element);
  }
  return [...result, ...rest.slice(next)];
}

const isBefore = (one: number, other: number) => one >= 0 && one < other;
