import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { selectsAll } from '../../kind/meta/label-selector-match.ts';
import { selectorText } from '../../kind/meta/label-selector-rules.ts';
import { none } from '../../kind/table/cells.ts';

/** A selector as a cell shows it. */
export function selectorCell(selector: LabelSelector | undefined): string {
  return !selector || selectsAll(selector) ? none : selectorText(selector);
}
