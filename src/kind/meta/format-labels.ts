// Formats labels and label selectors with Go syntax (%#v) for error messages.

import { FormattedValue, formatItems, goStringSlice } from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import type { LabelSelector } from './label-selector.ts';

/** Formats labels as `map[string]string{"app":"web"}`. */
export function formattedLabels(labels: Readonly<Record<string, string>> | undefined): FormattedValue {
  if (!labels) return new FormattedValue('map[string]string(nil)');
  const pairs = formatItems(Object.keys(labels).sort(), (key) => `${quote(key)}:${quote(labels[key]!)}`);
  return new FormattedValue(`map[string]string{${pairs}}`);
}

/** Formats a selector as `v1.LabelSelector{…}`; an absent one is `null`. */
export function formattedLabelSelector(selector: LabelSelector | undefined): string | FormattedValue {
  if (!selector) return 'null';
  const requirements = selector.matchExpressions?.map(({ key, operator, values }) => {
    const formattedValues = values ? goStringSlice(values).text : '[]string(nil)';
    return `v1.LabelSelectorRequirement{Key:${quote(key)}, Operator:${quote(operator)}, Values:${formattedValues}}`;
  });
  const expressions = requirements ? `{${requirements.join(', ')}}` : '(nil)';
  return new FormattedValue(
    `v1.LabelSelector{MatchLabels:${formattedLabels(selector.matchLabels).text}, MatchExpressions:[]v1.LabelSelectorRequirement${expressions}}`,
  );
}
