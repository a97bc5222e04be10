// A mutation: a small change of a source file that breaks exactly one rule of the specification.

/** A change that the test of the rule's row in docs/reference/spec-coverage.md must notice. */
export interface RuleMutation {
  /** The first cell of the row, as it is written there. */
  readonly rule: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

export interface Mutation extends RuleMutation {
  readonly section: string;
}

export const inSection = (section: string, mutations: readonly RuleMutation[]): readonly Mutation[] =>
  mutations.map((mutation) => ({ section, ...mutation }));

export const nameOf = ({ section, rule }: { readonly section: string; readonly rule: string }) =>
  `${section}: ${rule}`;

export function mutated(source: string, { find, replace }: RuleMutation): string {
  return source.replace(find, () => replace);
}

/** How often the text that a mutation replaces occurs: anything but once is a mistake in the table. */
export const occurrences = (source: string, { find }: RuleMutation) => source.split(find).length - 1;
