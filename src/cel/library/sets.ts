// CEL sets extension: sets.contains, sets.equivalent and sets.intersects on lists.
import type { CallCost } from '../cost/call-cost.ts';
import { sizeOf } from '../cost/models.ts';
import { exactly, plus, times } from '../cost/range.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { isIn } from '../plan-parts.ts';
import { fromJson, type Value } from '../values.ts';

type List = readonly Value[];

const contains = (list: List, subset: List) => subset.every((element) => isIn(fromJson(element), list));

/** Each element of one list is searched in the other; `factor` counts how many times that is done. */
const pairwiseCost = (factor: number): CallCost => ({
  estimate: ({ argSizes: [left, right] }) => ({
    cost: plus(exactly(1), times(times(left!, right!), exactly(factor))),
  }),
  runtime: (left, right) => 1 + sizeOf(left) * sizeOf(right) * factor,
});

const pairwiseOnce = pairwiseCost(1);
const pairwiseTwice = pairwiseCost(2);

export const sets: Library = new LibraryBuilder()
  .add('sets.contains', 'list_sets_contains_list', 'list(T), list(T) -> bool', pairwiseOnce, contains)
  .add(
    'sets.equivalent',
    'list_sets_equivalent_list',
    'list(T), list(T) -> bool',
    pairwiseTwice,
    (left: List, right: List) => contains(left, right) && contains(right, left),
  )
  .add(
    'sets.intersects',
    'list_sets_intersects_list',
    'list(T), list(T) -> bool',
    pairwiseOnce,
    (left: List, right: List) => left.some((element) => isIn(fromJson(element), right)),
  )
  .library();
