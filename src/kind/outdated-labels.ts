// Warnings for deprecated node labels.

import type { Dialect } from '../dialect/index.ts';

/** The warning for a deprecated node label, which names its replacement; undefined for other labels. */
export function outdatedLabelAdvice(
  label: string,
  { outdatedNodeLabels }: Pick<Dialect, 'outdatedNodeLabels'>,
): string | undefined {
  const outdated = outdatedNodeLabels.find((each) => each.label === label);
  return outdated && `deprecated since ${outdated.since}; use "${outdated.instead}" instead`;
}
