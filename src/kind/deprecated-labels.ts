// Warnings for deprecated node labels.

import type { Dialect } from '../dialect/index.ts';

/** The warning for a deprecated node label, which names its replacement; undefined for other labels. */
export function deprecatedLabelWarning(
  label: string,
  { deprecatedNodeLabels }: Pick<Dialect, 'deprecatedNodeLabels'>,
): string | undefined {
  const deprecated = deprecatedNodeLabels.find((each) => each.label === label);
  return (
    deprecated && `deprecated since ${deprecated.deprecatedSince}; use "${deprecated.replacement}" instead`
  );
}

/** The deprecated name of a node label, which kubelets still set. */
export const deprecatedNameOf = (
  label: string,
  { deprecatedNodeLabels }: Pick<Dialect, 'deprecatedNodeLabels'>,
) => deprecatedNodeLabels.find(({ replacement }) => replacement === label)?.label;
