import type { Dialect } from '../dialect/index.ts';

/** What to say to who names a label of nodes that goes by another name now; undefined for all others. */
export function outdatedLabelAdvice(
  label: string,
  { outdatedNodeLabels }: Pick<Dialect, 'outdatedNodeLabels'>,
): string | undefined {
  const outdated = outdatedNodeLabels.find((each) => each.label === label);
  return outdated && `deprecated since ${outdated.since}; use "${outdated.instead}" instead`;
}
