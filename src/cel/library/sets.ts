import { type Library, LibraryBuilder } from '../declarations.ts';
import { isIn } from '../plan-parts.ts';
import { fromJson, type Value } from '../values.ts';

type List = readonly Value[];

const contains = (list: List, part: List) => part.every((element) => isIn(fromJson(element), list));

/** Lists as sets: neither order nor repetition counts. */
export const sets: Library = new LibraryBuilder()
  .add('sets.contains', 'list_sets_contains_list', 'list(T), list(T) -> bool', contains)
  .add(
    'sets.equivalent',
    'list_sets_equivalent_list',
    'list(T), list(T) -> bool',
    (one: List, other: List) => contains(one, other) && contains(other, one),
  )
  .add('sets.intersects', 'list_sets_intersects_list', 'list(T), list(T) -> bool', (one: List, other: List) =>
    one.some((element) => isIn(fromJson(element), other)),
  )
  .library();
