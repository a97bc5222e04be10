// Job: parses completedIndexes and failedIndexes of Indexed jobs.
import { quote } from '../../errors/quote.ts';

/** Completion indexes, parsed from their compressed form: `0,3-5,7`. */
export interface CompletionIndexes {
  /** First and last index of each interval, ascending. */
  readonly intervals: readonly (readonly [first: number, last: number])[];
  readonly count: number;
}

/**
 * Parses indexes in ascending order, each below `completions`; returns `problem` if invalid. An empty text has no
 * indexes.
 */
export function parseIndexes(
  text: string,
  completions: number,
): CompletionIndexes | { readonly problem: string } {
  const intervals: [number, number][] = [];
  let count = 0;
  for (const fragment of text === '' ? [] : text.split(',')) {
    const interval = parseInterval(fragment, completions);
    if ('problem' in interval) return interval;
    const [first, last] = interval;
    const previous = intervals.at(-1)?.[1];
    if (previous !== undefined && previous >= first) return notIncreasing(previous, first);
    intervals.push([first, last]);
    count += last - first + 1;
  }
  return { intervals, count };
}

function parseInterval(text: string, completions: number): [number, number] | { problem: string } {
  const bounds = text.split('-');
  if (bounds.length > 2) {
    return {
      problem: `the fragment ${quote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    };
  }
  const numbers: number[] = [];
  for (const bound of bounds) {
    if (!/^[+-]?[0-9]{1,18}$/.test(bound)) {
      return { problem: `cannot convert string to integer for index: ${quote(bound)}` };
    }
    const number = Number(bound);
    if (number >= completions) return { problem: `too large index: ${quote(bound)}` };
    numbers.push(number);
  }
  const [first, last = first] = numbers as [number, number?];
  return bounds.length === 2 && first >= last ? notIncreasing(first, last) : [first, last];
}

const notIncreasing = (previous: number, current: number) => ({
  problem: `non-increasing order, previous: ${previous}, current: ${current}`,
});

/** The lowest index in both sets, if any. */
export function firstCommonIndex(a: CompletionIndexes, b: CompletionIndexes): number | undefined {
  let i = 0;
  let j = 0;
  for (;;) {
    const [intervalA, intervalB] = [a.intervals[i], b.intervals[j]];
    if (!intervalA || !intervalB) return undefined;
    const first = Math.max(intervalA[0], intervalB[0]);
    if (first <= Math.min(intervalA[1], intervalB[1])) return first;
    // The interval that ends first cannot overlap with any later one.
    if (intervalA[1] < intervalB[1]) i++;
    else j++;
  }
}
