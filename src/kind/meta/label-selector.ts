// Schema of metav1.LabelSelector.

import { list, mapOf } from '../../schema/collections.ts';
import { named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const LabelSelectorRequirement = struct(
  'meta/v1.LabelSelectorRequirement',
  {
    key: field(1, string, { required: true, doc: 'The label key.' }),
    operator: field(
      2,
      named('meta/v1.LabelSelectorOperator', openEnum('In', 'NotIn', 'Exists', 'DoesNotExist')),
      { required: true, doc: 'The relation of the label to the values: In, NotIn, Exists or DoesNotExist.' },
    ),
    values: field(3, list(string, { type: 'atomic' }), {
      doc: 'The values: at least one for In and NotIn, none for Exists and DoesNotExist.',
    }),
  },
  { doc: 'A requirement on a label.' },
);
export type LabelSelectorRequirement = Infer<typeof LabelSelectorRequirement>;

export const LabelSelector = struct(
  'meta/v1.LabelSelector',
  {
    matchLabels: field(1, mapOf(string), { doc: 'Labels and their required values.' }),
    matchExpressions: field(2, list(LabelSelectorRequirement, { type: 'atomic' }), {
      doc: 'Requirements on labels.',
    }),
  },
  {
    atomic: true,
    doc: 'Selects objects by label. All requirements must match; an empty selector matches all objects.',
  },
);
export type LabelSelector = Infer<typeof LabelSelector>;
