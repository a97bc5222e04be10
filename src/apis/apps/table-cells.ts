// Printer columns shared by the kinds of apps.
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { isEmptyLabelSelector } from '../../kind/meta/label-selector-match.ts';
import { formatLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { none } from '../../kind/table/cells.ts';

/** Formats a selector for a table cell. */
export function selectorCell(selector: LabelSelector | undefined): string {
  return !selector || isEmptyLabelSelector(selector) ? none : formatLabelSelector(selector);
}
