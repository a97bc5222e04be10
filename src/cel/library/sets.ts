// CEL sets extension.
import type { CallCost } from '../cost/call-cost.ts';
import { sizeOf } from '../cost/models.ts';
import { exactly, plus, times } from '../cost/range.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { isIn } from '../plan-parts.ts';
import { fromJson, type Value } from '../values.ts';

type List = readonly Value[];

const contains = (list: List, part: List) => part.every((element) => isIn(fromJson(element), list));

/** Each element of one list is searched in the other, `times` over. */
const searchingPairs = (factor: number): CallCost => ({
  estimate: ({ argSizes: [one, other] }) => ({
    cost: plus(exactly(1), times(times(one!, other!), exactly(factor))),
  }),
  runtime: (one, other) => 1 + sizeOf(one) * sizeOf(other) * factor,
});

const pairs = searchingPairs(1);
const pairsTwice = searchingPairs(2);

export const sets: Library = new LibraryBuilder()
  .add('sets.contains', 'list_sets_contains_list', 'list(T), list(T) -> bool', pairs, contains)
  .add(
    'sets.equivalent',
    'list_sets_equivalent_list',
    'list(T), list(T) -> bool',
    pairsTwice,
    (one: List, other: List) => contains(one, other) && contains(other, one),
  )
  .add(
    'sets.intersects',
    'list_sets_intersects_list',
    'list(T), list(T) -> bool',
    pairs,
    (one: List, other: List) => one.some((element) => isIn(fromJson(element), other)),
  )
  .library();
