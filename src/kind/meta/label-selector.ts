// Schema of metav1.LabelSelector.

import { list, mapOf } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const LabelSelectorRequirement = struct(
  'meta/v1.LabelSelectorRequirement',
  {
    key: field(1, string, { required: true, doc: 'The label.' }),
    operator: field(
      2,
      named('meta/v1.LabelSelectorOperator', oneOf('In', 'NotIn', 'Exists', 'DoesNotExist')),
      { required: true, doc: 'Whether the label is there, or has one of the values.' },
    ),
    values: field(3, list(string, { type: 'atomic' }), {
      doc: 'The values: some for In and NotIn, none for Exists and DoesNotExist.',
    }),
  },
  { doc: 'A condition on one label.' },
);
export type LabelSelectorRequirement = Infer<typeof LabelSelectorRequirement>;

export const LabelSelector = struct(
  'meta/v1.LabelSelector',
  {
    matchLabels: field(1, mapOf(string), { doc: 'Labels with the values they must have.' }),
    matchExpressions: field(2, list(LabelSelectorRequirement, { type: 'atomic' }), {
      doc: 'Conditions on labels.',
    }),
  },
  {
    atomic: true,
    doc: 'Which objects are meant, by their labels: those that meet all conditions. An empty one means all.',
  },
);
export type LabelSelector = Infer<typeof LabelSelector>;
