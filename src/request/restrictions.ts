// Label and field selectors of a request, as authorizers see them (AuthorizeWithSelectors).
import { type FieldRequirement, parseAnyFieldSelector } from '../selectors/field-selector.ts';
import { type LabelRequirement, parseLabelSelector } from '../selectors/label-selector.ts';

/**
 * The selectors of a list, watch or deletecollection: a user who may not read all objects may be allowed to read the
 * selected ones.
 */
export interface Restrictions {
  readonly fields: Restriction<FieldRequirement>;
  readonly labels: Restriction<LabelRequirement>;
}

export interface Restriction<Requirement> {
  readonly requirements: readonly Requirement[];
  /** The selector cannot be parsed, so it restricts nothing. */
  readonly isMalformed: boolean;
}

export const unrestricted: Restriction<never> = { requirements: [], isMalformed: false };
const malformed: Restriction<never> = { requirements: [], isMalformed: true };

export const fieldRestriction = (selector: string) => parseRestriction(selector, parseAnyFieldSelector);
export const labelRestriction = (selector: string) => parseRestriction(selector, parseLabelSelector);

function parseRestriction<Requirement>(
  selector: string,
  parse: (text: string) => Requirement[],
): Restriction<Requirement> {
  if (selector === '') return unrestricted;
  try {
    return { requirements: parse(selector), isMalformed: false };
  } catch {
    return malformed;
  }
}
