/** Revisions after `after` up to and with `until`. */
export interface Range {
  readonly after: number;
  readonly until: number;
}

/** The same revisions in as few ranges as possible, in order. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const sorted = ranges.filter(({ after, until }) => until > after).sort((a, b) => a.after - b.after);
  const whole: Range[] = [];
  for (const range of sorted) {
    const last = whole.at(-1);
    if (last && range.after <= last.until) {
      whole[whole.length - 1] = { after: last.after, until: Math.max(last.until, range.until) };
    } else whole.push(range);
  }
  return whole;
}

/** The gaps between the ranges. */
export function gapsOf(whole: readonly Range[]): Range[] {
  return whole.slice(1).map(({ after }, i) => ({ after: whole[i]!.until, until: after }));
}

export const contains = (ranges: readonly Range[], revision: number) =>
  ranges.some(({ after, until }) => revision > after && revision <= until);
