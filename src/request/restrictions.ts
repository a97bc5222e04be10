// Label and field selectors of a request as authorizers see them.
import { type FieldRequirement, parseAnyFieldSelector } from '../selectors/field-selector.ts';
import { type LabelRequirement, parseLabelSelector } from '../selectors/label-selector.ts';

/** What a request for many objects is restricted to: who may not read all of them may still read these. */
export interface Restrictions {
  readonly fields: Restriction<FieldRequirement>;
  readonly labels: Restriction<LabelRequirement>;
}

export interface Restriction<Requirement> {
  readonly requirements: readonly Requirement[];
  /** There is more that cannot be read. It restricts nothing. */
  readonly isFaulty: boolean;
}

export const unrestricted: Restriction<never> = { requirements: [], isFaulty: false };
const unreadable: Restriction<never> = { requirements: [], isFaulty: true };

export const fieldRestriction = (selector: string) => read(selector, parseAnyFieldSelector);
export const labelRestriction = (selector: string) => read(selector, parseLabelSelector);

function read<Requirement>(
  selector: string,
  parse: (text: string) => Requirement[],
): Restriction<Requirement> {
  if (selector === '') return unrestricted;
  try {
    return { requirements: parse(selector), isFaulty: false };
  } catch {
    return unreadable;
  }
}
